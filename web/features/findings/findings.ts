import { useTranslations } from 'use-intl';
import type { Finding, Severity } from '../../../shared/entities/finding.ts';
import type { ErrorCode, ErrorDetail } from '../../../shared/errors.ts';
import { FINDING_CODES, type FindingCode, isFindingCode } from '../../../shared/package/finding-codes.ts';

/** Errors first. */
const SEVERITIES: readonly Severity[] = ['error', 'warning', 'notice'];

export type FindingGroup = { severity: Severity; findings: Finding[] };

/** Findings by severity, in their original order; severities without findings are left out. */
export function findingGroups(findings: readonly Finding[]): FindingGroup[] {
  return SEVERITIES.map((severity) => ({
    severity,
    findings: findings.filter((finding) => finding.severity === severity),
  })).filter((group) => group.findings.length > 0);
}

/** A detail of a rejected request as a finding; one without a code is shown by its message. */
export function findingOfDetail(detail: ErrorDetail): Finding {
  return { code: 'VALIDATION_FAILED', severity: 'error', ...detail };
}

/** File, line and column in the usual notation, `main.js:12:5`; empty when unknown. */
export function sourcePosition({ file, line, column }: Finding): string {
  if (line === undefined) return file ?? '';
  const at = column === undefined ? `${line}` : `${line}:${column}`;
  return file === undefined ? at : `${file}:${at}`;
}

/** One line for the clipboard: severity, code, place and text. */
export function findingLine(finding: Finding, text: string): string {
  return [finding.severity.toUpperCase(), finding.code, finding.pointer, sourcePosition(finding), text]
    .filter((part) => part !== '')
    .join('  ');
}

type FindingSummary = Pick<Finding, 'code' | 'message' | 'params'>;

/** The code of a value that is refused without a reason of its own. */
const LAST_RESORT: ErrorCode = 'VALIDATION_FAILED';

/** The code of JSON that is something else. */
const NOT_A_PLUGIN = 'NOT_A_PLUGIN' satisfies FindingCode;

/**
 * "Plugin parsing failed.", followed by the reason if it is known (R 5.11): the first error of what was read.
 */
export function useParsingFailure(): (findings: readonly FindingSummary[]) => string {
  const t = useTranslations('finding');
  const form = useTranslations('form');
  const textOf = useFindingText();
  return ([first]) => {
    const failure = t(NOT_A_PLUGIN);
    if (!first) return failure;
    return first.code === NOT_A_PLUGIN
      ? textOf(first)
      : form('failed_because', { failure, reason: textOf(first) });
  };
}

/**
 * The text of a finding in the page's language; a code newer than this page is shown by its own message, one without a
 * reason of its own by the text 'Illegal input' (R 12.9).
 */
export function useFindingText(): (finding: FindingSummary) => string {
  const t = useTranslations('finding');
  const form = useTranslations('form');
  return ({ code, message, params = {} }) => {
    if (code === LAST_RESORT) return form('illegal_input');
    if (code === NOT_A_PLUGIN)
      return form('failed_because', { failure: t(code), reason: form('not_a_plugin') });
    return isFindingCode(code) && placeholdersOf(FINDING_CODES[code].message).every((name) => name in params)
      ? t(code, argumentsOf(params))
      : message;
  };
}

/** Every value that a text may use; all are set, as a missing one is an error. */
function argumentsOf(params: Readonly<Record<string, string>>) {
  const of = (name: string): string => params[name] ?? '';
  return {
    command: of('command'),
    count: of('count'),
    domain: of('domain'),
    domains: of('domains'),
    encoding: of('encoding'),
    expected: of('expected'),
    file: of('file'),
    found: of('found'),
    height: of('height'),
    host: of('host'),
    id: of('id'),
    key: of('key'),
    kind: of('kind'),
    known: of('known'),
    language: of('language'),
    limit: of('limit'),
    line: of('line'),
    name: of('name'),
    other: of('other'),
    path: of('path'),
    permissions: of('permissions'),
    plugin_key: of('plugin_key'),
    publisher: of('publisher'),
    ratio: of('ratio'),
    reason: of('reason'),
    seconds: of('seconds'),
    size: of('size'),
    tag: of('tag'),
    value: of('value'),
    version: of('version'),
    width: of('width'),
  };
}

/** Names of the values that a text uses. */
export function placeholdersOf(message: string): string[] {
  return [...message.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
}
