import type { Finding } from '../../../../shared/entities/finding.ts';
import { finding } from '../../../../shared/package/finding-codes.ts';
import { missingFindings, textFindings } from '../../../../shared/package/listing-rules.ts';
import { compareVersions, isVersion } from '../../../../shared/package/version.ts';
import type { PublishValues } from '../values/values.ts';
import { type PublishState, publishPayload } from './publish-payload.ts';

type Facts = PublishState & {
  /** The greatest version number there ever was. */
  lastVersion?: string | undefined;
  /** The package that was chosen cannot be published as it is. */
  isPackageBroken: boolean;
  /** The version is as it is: a passed one does not change any more. */
  isVersionFixed: boolean;
};

/** What can be said to be wrong before anything is sent, in the order of the form. */
export function problemsOf(facts: Facts): Problem[] {
  const { values, files, bringsVersion } = facts;
  const copyright = { kind: values.copyright_kind, holder: values.copyright_holder };
  const texts = { ...values, copyright_holder: holderOf(values) };
  const needsNote = bringsVersion || !facts.isVersionFixed;
  const found: Problem[] = [
    ...(bringsVersion && !files.code ? [finding('FIELD_REQUIRED', { pointer: '/code' })] : []),
    ...(bringsVersion && facts.isPackageBroken ? [finding('NOT_A_PLUGIN', { pointer: '/code' })] : []),
    ...missingFindings({ ...values, copyright }, { bringsVersion: needsNote }),
    ...textFindings(texts),
    ...(bringsVersion ? versionProblems(values.version.trim(), facts.lastVersion) : []),
  ];
  const sent = publishPayload(facts);
  return found
    .filter((one) => counts(one, sent, facts))
    .sort((a, b) => placeOf(a.pointer) - placeOf(b.pointer));
}

/** A text stored long ago that is left alone may be longer than today's limit; none may be missing. */
function counts({ code, pointer }: Problem, sent: object, { original }: Facts): boolean {
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
  ...['code', 'name', 'intro', 'description', 'icon', 'cover', 'panel', 'media', 'tags'],
  ...['contact', 'support', 'copyright_kind', 'copyright_holder', 'plugin_mark'],
  ...['version', 'version_kind', 'version_note'],
];

function placeOf(pointer: string): number {
  return ORDER.indexOf(pointer.split('/')[1] ?? '');
}

/** True for a pointer to a field of the form; others point into the package. */
export function isFormField(pointer: string): boolean {
  return placeOf(pointer) >= 0;
}

/** What is wrong with a field of the form, by the pointer of the field: found here, or told by the service. */
export type Problem = Pick<Finding, 'code' | 'pointer' | 'params' | 'message'>;

/** True when `problem` is about the field at `pointer`, or about something inside of it. */
export function isAt(problem: Problem, pointer: string): boolean {
  return problem.pointer === pointer || problem.pointer.startsWith(`${pointer}/`);
}
