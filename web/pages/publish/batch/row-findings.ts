import { TEXT_LIMITS } from '../../../../shared/constants.ts';
import type { Finding } from '../../../../shared/entities/finding.ts';
import { finding, isUsable } from '../../../../shared/package/finding-codes.ts';
import { missingFindings, tooLong } from '../../../../shared/package/listing-rules.ts';
import { compareVersions, isVersion } from '../../../../shared/package/version.ts';
import { type BatchRow, candidateOf, isDone, targetOf } from './batch-row.ts';
import { placedIn } from './placed-in.ts';

/** What mending by hand makes right, by where it stands in the package. */
const MENDED = {
  name: ['/manifest/name', '/listing/name'],
  version: ['/manifest/version', '/listing/version'],
} as const;

/** The version of a new plugin whose package names none. */
const FIRST_VERSION = '1.0.0';

/** What is known to be wrong with a row before it is sent; `others` are the rows beside it. */
export function checkRow(row: BatchRow, others: readonly BatchRow[]): Finding[] {
  if (row.item.package === null) return row.item.findings;
  const found = row.item.findings.filter((one) => !isMended(one, row));
  const own = [
    ...nameFindings(row),
    ...versionFindings(row),
    ...missingTexts(row),
    ...sameFindings(row, others),
  ].map((one) => ({ ...one, pointer: `${row.item.origin.pointer}${one.pointer}` }));
  const isSaid = (place: string): boolean =>
    found.some(({ severity, pointer }) => severity === 'error' && pointer === place);
  return [...found, ...own.filter(({ pointer }) => !isSaid(pointer))];
}

/** What a row shows: what the service has found when it has spoken, else what is known before. */
export function shownFindings(row: BatchRow, others: readonly BatchRow[]): Finding[] {
  const { state, item } = row;
  if (state.kind !== 'done' && state.kind !== 'refused') return checkRow(row, others);
  const { errors, warnings } = state.result;
  return [...errors, ...warnings].map((found) => placedIn(found, item.origin));
}

/** True when nothing is known that refuses the row. What the service has refused may be tried again. */
export function isSendable(row: BatchRow, others: readonly BatchRow[]): boolean {
  return row.item.package !== null && !isDone(row) && isUsable(checkRow(row, others));
}

export function isNameEdited({ item, name }: BatchRow): boolean {
  return name.trim() !== (item.package?.name ?? '');
}

export function isVersionEdited({ item, version }: BatchRow): boolean {
  return version.trim() !== (item.package?.version ?? '');
}

function isMended({ severity, pointer }: Finding, row: BatchRow): boolean {
  const { origin } = row.item;
  if (severity !== 'error' || !pointer.startsWith(origin.pointer)) return false;
  const within = pointer.slice(origin.pointer.length);
  const isAt = (field: keyof typeof MENDED): boolean =>
    MENDED[field].some((place) => within === place || within.startsWith(`${place}/`));
  return (
    (isNameEdited(row) && row.name.trim() !== '' && isAt('name')) ||
    (isVersionEdited(row) && row.version.trim() !== '' && isAt('version'))
  );
}

function nameFindings({ name }: BatchRow): Finding[] {
  const pointer = '/manifest/name';
  if (name.trim() === '') return [finding('FIELD_REQUIRED', { pointer })];
  const long = tooLong(name.trim(), TEXT_LIMITS.name, pointer);
  return long ? [long] : [];
}

function versionFindings(row: BatchRow): Finding[] {
  const version = row.version.trim();
  const pointer = '/listing/version';
  const last = candidateOf(row)?.last_version;
  if (version === '') {
    if (targetOf(row)) return [finding('FIELD_REQUIRED', { pointer })];
    return [finding('VERSION_ASSUMED', { pointer }, { version: FIRST_VERSION })];
  }
  if (!isVersion(version)) return [finding('VERSION_INVALID', { pointer }, { version })];
  // The same number is the service's to judge: with the same content it is harmless.
  const isOlder = last !== undefined && isVersion(last) && compareVersions(version, last) < 0;
  return isOlder ? [finding('VERSION_NOT_GREATER', { pointer }, { version: last })] : [];
}

/** What a new plugin lacks; the name has its own field. */
function missingTexts(row: BatchRow): Finding[] {
  const listing = row.item.package?.listing;
  if (!listing || targetOf(row)) return [];
  const copyright = listing.copyright ?? { kind: 'author', holder: '' };
  return missingFindings({ ...listing, copyright }, { bringsVersion: true }).filter(
    ({ pointer }) => pointer !== '/name',
  );
}

function sameFindings(row: BatchRow, others: readonly BatchRow[]): Finding[] {
  const before = others.filter((other) => other.id < row.id && other.item.package !== null);
  const id = row.item.package?.external_id;
  if (before.some((other) => other.item.fingerprint === row.item.fingerprint))
    return [finding('DUPLICATE_PACKAGE', { pointer: '' })];
  if (!id || !before.some((other) => other.item.package?.external_id === id)) return [];
  return [finding('DUPLICATE_ID', { pointer: '/manifest/id' }, { id })];
}
