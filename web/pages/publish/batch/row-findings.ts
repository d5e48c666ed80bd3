import { TEXT_LIMITS } from '../../../../shared/constants.ts';
import type { Finding } from '../../../../shared/entities/finding.ts';
import type { Texts } from '../../../../shared/languages.ts';
import { markLookalikeIn } from '../../../../shared/mark-lookalikes.ts';
import { finding, isUsable } from '../../../../shared/package/finding-codes.ts';
import {
  isOverruled,
  missingFindings,
  nameFindings,
  type PackagedField,
  textFindings,
  tooLong,
  withoutKnownNames,
} from '../../../../shared/package/listing-rules.ts';
import type { Origin } from '../../../../shared/package/report.ts';
import { compareVersions, isVersion } from '../../../../shared/package/version.ts';
import { isVisible } from '../../../../shared/visible-text.ts';
import { isFormField } from '../form/sending/problems.ts';
import {
  type BatchRow,
  candidateOf,
  dryRunResultOf,
  isDone,
  isNameEdited,
  isPending,
  isVersionEdited,
  targetOf,
} from './batch-row.ts';

/** Version of a new plugin whose package has none. */
const FIRST_VERSION = '1.0.0';

/** Problems of a row that are known before sending; `others` are the other rows. */
export function checkRow(row: BatchRow, others: readonly BatchRow[]): Finding[] {
  if (row.item.package === null) return row.item.findings;
  const { pointer: origin } = row.item.origin;
  const known = candidateOf(row)?.name;
  const found = withoutKnownNames(row.item, known === undefined ? [] : [known]).filter(
    (one) => !isOverruled(one, origin, (field) => isSaid(row, field)),
  );
  const own = [
    ...nameProblems(row),
    ...nameFindings(newNames(row)),
    ...versionFindings(row),
    ...missingTexts(row),
    ...textFindings({ ...row.edits.values, name: undefined }),
    ...sameFindings(row, others),
  ].map((one) => ({ ...one, pointer: `${origin}${one.pointer}` }));
  const isFound = (at: string): boolean =>
    found.some(({ severity, pointer }) => severity === 'error' && pointer === at);
  return [...found, ...own.filter(({ pointer }) => !isFound(pointer))];
}

/** Findings of a row: those of the service, else those of the client. */
export function findingsOf(row: BatchRow, others: readonly BatchRow[]): Finding[] {
  const { state, item } = row;
  const isFinished = state.kind === 'done' || state.kind === 'refused';
  const known = isFinished ? [] : checkRow(row, others);
  const result = isFinished ? state.result : isUsable(known) ? dryRunResultOf(row) : undefined;
  if (!result) return known;
  const warnings = known.filter(({ code }) => code === 'DUPLICATE_ID');
  return [...result.errors, ...result.warnings].map((found) => placedIn(found, item.origin)).concat(warnings);
}

/** Problems of a row's form, by pointer. */
export function formProblems(row: BatchRow, others: readonly BatchRow[]): Finding[] {
  const { pointer: origin } = row.item.origin;
  return findingsOf(row, others)
    .filter(({ severity, pointer }) => severity === 'error' && pointer.startsWith(origin))
    .map((found) => ({ ...found, pointer: found.pointer.slice(origin.length) }))
    .filter(({ pointer }) => isFormField(pointer));
}

/** True without known errors. A row that was rejected when sent may be retried. */
export function isSendable(row: BatchRow, others: readonly BatchRow[]): boolean {
  if (row.item.package === null || isDone(row) || !isUsable(checkRow(row, others))) return false;
  return row.state.kind !== 'ready' || dryRunResultOf(row)?.ok !== false;
}

/** True while the service's dry run is pending. */
export function isDryRunPending(row: BatchRow, others: readonly BatchRow[]): boolean {
  return isPending(row) && isUsable(checkRow(row, others));
}

function isSaid(row: BatchRow, field: PackagedField): boolean {
  const { values, pictures } = row.edits;
  if (field === 'icon') return pictures.icon !== undefined;
  if (field === 'version') return isVersionEdited(row) && row.version.trim() !== '';
  return values[field] !== undefined || (field === 'name' && isNameEdited(row) && isVisible(row.name));
}

/** The edited names, but for one that the plugin has already. */
function newNames(row: BatchRow): Texts {
  const known = candidateOf(row)?.name;
  return Object.fromEntries(Object.entries(row.edits.values.name ?? {}).filter(([, name]) => name !== known));
}

function nameProblems(row: BatchRow): Finding[] {
  const pointer = '/manifest/name';
  const name = row.name.trim();
  if (!isVisible(name)) return [finding('FIELD_REQUIRED', { pointer })];
  const long = tooLong(name, TEXT_LIMITS.name, pointer);
  const found = isNameEdited(row) && name !== candidateOf(row)?.name ? markLookalikeIn(name) : undefined;
  const marked = found === undefined ? undefined : finding('NAME_MARK', { pointer }, { found });
  return [long, marked].filter((one) => one !== undefined);
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
  // The service decides about an existing number: with the same content it is harmless.
  const isOlder = last !== undefined && isVersion(last) && compareVersions(version, last) < 0;
  return isOlder ? [finding('VERSION_NOT_GREATER', { pointer }, { version: last })] : [];
}

/** Missing fields of a row. The service knows the listing of an existing plugin; the name has its own field. */
function missingTexts(row: BatchRow): Finding[] {
  const packaged = row.item.package?.listing ?? {};
  const { values } = row.edits;
  const { copyright_kind: kind, copyright_holder: holder = '' } = values;
  const copyright = kind ? { kind, holder } : (packaged.copyright ?? { kind: 'author' as const, holder: '' });
  return missingFindings({ ...packaged, ...values, copyright }, { includesVersion: true }).filter(
    ({ pointer }) => pointer !== '/name' && (!targetOf(row) || pointer === '/version_note'),
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

/** A finding of a package that was sent alone, with its position in the original file. */
export function placedIn(found: Finding, origin: Required<Origin>): Finding {
  const pointer = `${origin.pointer}${found.pointer}`;
  if (found.line === undefined || found.file !== undefined) return { ...found, pointer };
  const isFirst = found.line === 1 && found.column !== undefined;
  return {
    ...found,
    pointer,
    line: found.line + origin.line - 1,
    ...(isFirst ? { column: (found.column ?? 1) + origin.column - 1 } : {}),
  };
}
