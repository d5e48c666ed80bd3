import type { Finding } from '../../../../../shared/entities/finding.ts';
import { finding } from '../../../../../shared/package/finding-codes.ts';
import { missingFindings, nameFindings, textFindings } from '../../../../../shared/package/listing-rules.ts';
import { compareVersions, isVersion } from '../../../../../shared/package/version.ts';
import type { PublishValues } from '../values.ts';
import { type PublishState, publishPayload } from './publish-payload.ts';

type Options = PublishState & {
  /** The highest version number so far. */
  lastVersion?: string | undefined;
  /** The chosen package can't be published. */
  isPackageBroken: boolean;
  /** Its first error. */
  packageError?: Problem | undefined;
  /** The version can't be edited: an approved one doesn't change any more. */
  isVersionFixed: boolean;
};

/** Problems that can be found before sending, in the order of the form. */
export function problemsOf(facts: Options): Problem[] {
  const { values, files, includesVersion } = facts;
  const copyright = { kind: values.copyright_kind, holder: values.copyright_holder };
  const texts = { ...values, copyright_holder: holderOf(values) };
  const needsNote = includesVersion || !facts.isVersionFixed;
  const found: Problem[] = [
    ...(includesVersion && !files.code ? [finding('FIELD_REQUIRED', { pointer: '/code' })] : []),
    ...(includesVersion && facts.isPackageBroken ? [parsingFailed(facts.packageError)] : []),
    ...missingFindings({ ...values, copyright }, { includesVersion: needsNote }),
    ...textFindings(texts),
    ...nameFindings(values.name, facts.original?.values.name),
    ...(includesVersion ? versionProblems(values.version.trim(), facts.lastVersion) : []),
  ];
  const sent = publishPayload(facts);
  return found
    .filter((one) => counts(one, sent, facts))
    .sort((a, b) => orderOf(a.pointer) - orderOf(b.pointer));
}

/** An unchanged stored text may exceed today's limit, but none may be missing. */
function counts({ code, pointer }: Problem, sent: object, { original }: Options): boolean {
  const [, field = ''] = pointer.split('/');
  return original === undefined || code !== 'TEXT_TOO_LONG' || field in sent;
}

function holderOf({ copyright_kind, copyright_holder }: PublishValues): string {
  return copyright_kind === 'custom' ? copyright_holder : '';
}

function versionProblems(version: string, last: string | undefined): Problem[] {
  const pointer = '/version';
  if (version === '') return [finding('FIELD_REQUIRED', { pointer })];
  if (!isVersion(version)) return [finding('VERSION_INVALID', { pointer }, { version })];
  const isGreater = last === undefined || compareVersions(version, last) > 0;
  return isGreater ? [] : [finding('VERSION_NOT_GREATER', { pointer }, { version: last })];
}

/** The fields in the order of the form. */
const ORDER = [
  ...['code', 'name', 'intro', 'description', 'support', 'icon', 'cover', 'panel', 'media', 'tags'],
  ...['contact', 'copyright_kind', 'copyright_holder', 'plugin_mark'],
  ...['version', 'version_kind', 'version_note'],
];

function parsingFailed(reason: Problem | undefined): Problem {
  return { ...finding('NOT_A_PLUGIN', { pointer: '/code' }), ...(reason && { reason }) };
}

function orderOf(pointer: string): number {
  return ORDER.indexOf(pointer.split('/')[1] ?? '');
}

/** True for a pointer to a field of the form; others point into the package. */
export function isFormField(pointer: string): boolean {
  return orderOf(pointer) >= 0;
}

/** A problem of a field by its pointer: found here, or reported by the service. */
export type Problem = Pick<Finding, 'code' | 'pointer' | 'params' | 'message'> & {
  /** Why the package could not be parsed. */
  reason?: Problem;
};

/** True when `problem` concerns the field at `pointer` or a part of it. */
export function isAt(problem: Problem, pointer: string): boolean {
  return problem.pointer === pointer || problem.pointer.startsWith(`${pointer}/`);
}
