import { finding } from '../../../../shared/package/finding-codes.ts';
import {
  PLAIN_FIELDS,
  type RequiredField,
  requiredFindings,
  textFindings,
} from '../../../../shared/package/listing-rules.ts';
import { compareVersions, isVersion } from '../../../../shared/package/version.ts';
import type { PublishValues } from '../values/publish-values.ts';
import type { Problem } from './problem.ts';
import { type PublishState, publishPayload } from './publish-payload.ts';

type Facts = PublishState & {
  /** The greatest version number there ever was. */
  lastVersion?: string | undefined;
  /** The package that was chosen cannot be published as it is. */
  isPackageBroken: boolean;
};

const REQUIRED: readonly RequiredField[] = ['name', 'intro', 'description', 'contact', 'version_note'];

/** What can be said to be wrong before anything is sent, in the order of the form. */
export function problemsOf(facts: Facts): Problem[] {
  const { values, files, bringsVersion } = facts;
  const texts = { ...values, copyright_holder: holderOf(values) };
  const found: Problem[] = [
    ...(bringsVersion && !files.code ? [finding('FIELD_REQUIRED', { pointer: '/code' })] : []),
    ...(bringsVersion && facts.isPackageBroken ? [finding('NOT_A_PLUGIN', { pointer: '/code' })] : []),
    ...requiredFindings(values, REQUIRED),
    ...textFindings(texts),
    ...(values.copyright_kind === 'custom' && texts.copyright_holder.trim() === ''
      ? [finding('FIELD_REQUIRED', { pointer: '/copyright_holder' })]
      : []),
    ...(bringsVersion ? versionProblems(values.version.trim(), facts.lastVersion) : []),
  ];
  const sent = publishPayload(facts);
  return found.filter(({ pointer }) => isSentOrMissing(pointer, sent, facts)).sort(byPlace);
}

/** What was stored long ago and is left alone is not judged anew. */
function isSentOrMissing(pointer: string, sent: object, { original }: Facts): boolean {
  const [, field = ''] = pointer.split('/');
  return original === undefined || field === 'code' || field in sent || field === 'version';
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

const ORDER = ['code', 'name', 'intro', 'description', 'icon', 'cover', 'panel', 'media', 'tags'];
const LATER = [...Object.keys(PLAIN_FIELDS), 'version', 'version_kind', 'version_note'];

function byPlace(a: Problem, b: Problem): number {
  const place = ({ pointer }: Problem): number => [...ORDER, ...LATER].indexOf(pointer.split('/')[1] ?? '');
  return place(a) - place(b);
}
