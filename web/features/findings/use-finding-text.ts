import { useTranslations } from 'use-intl';
import type { Finding } from '../../../shared/entities/finding.ts';
import { FINDING_CODES, isFindingCode } from '../../../shared/package/finding-codes.ts';

type Said = Pick<Finding, 'code' | 'message' | 'params'>;

/** Says a finding in the page's language; one that is newer than this page, in the words that came with it. */
export function useFindingText(): (finding: Said) => string {
  const t = useTranslations('finding');
  return ({ code, message, params = {} }) =>
    isFindingCode(code) && placeholdersOf(FINDING_CODES[code].message).every((name) => name in params)
      ? t(code, argumentsOf(params))
      : message;
}

/** Every value that a finding may have; a text asks for some of them, all of which are there. */
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

/** Names of the values that a text asks for. */
export function placeholdersOf(message: string): string[] {
  return [...message.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
}
