import type { Finding } from '../../../shared/entities/finding.ts';
import type { BatchResult, PublishResult } from '../../../shared/entities/review.ts';
import type { Language } from '../../../shared/languages.ts';
import { type FindingCode, finding } from '../../../shared/package/finding-codes.ts';
import type { PackageBytes } from '../../../shared/package/splitter.ts';
import { type AppError, isAppError } from '../../http/errors.ts';
import type { Caller } from '../auth/caller.ts';
import type { UploadedFile } from '../forms/uploads.ts';
import type { PackageCheck } from '../packages/package-check.ts';
import type { MediaParts } from '../publish/check-media.ts';
import { readSnapshot } from '../publish/submission.ts';
import { previewSubmission, type StoreParts, storeAndSubmit } from '../publish/submit.ts';
import type { Db } from '../schema.ts';
import { matchPackages } from './match.ts';
import { prepareItem, type Work } from './prepare-item.ts';
import { type Override, type ReadItem, readItem } from './read-item.ts';

export type ImportParts = StoreParts & MediaParts & { packages: PackageCheck };

/** For whom a batch is imported, and whether anything is to be kept of it. */
export type Importing = {
  caller: Caller;
  language: Language;
  dryRun: boolean;
  /** Ids that packages of this batch had so far. */
  ids: Set<string>;
  /** The `media` parts, which items name by their place. */
  media: readonly UploadedFile[];
  /** Aborts when the client has gone. */
  gone: AbortSignal;
};

/**
 * Imports one package as somebody's new plugin or as a version of one of theirs, in one transaction of its own. Whatever is
 * wrong with it is told in its outcome.
 */
export async function importItem(
  parts: ImportParts,
  item: PackageBytes,
  override: Override | undefined,
  importing: Importing,
): Promise<Outcome> {
  const { caller, gone } = importing;
  let read: Awaited<ReturnType<typeof readItem>>;
  try {
    read = await readItem(parts.packages, item, override, { userId: caller.user_id, signal: gone });
  } catch (error) {
    return refused(findingsOfError(error, null));
  }
  if ('refused' in read) return refused(read.refused);
  warnOfDoubledId(read, importing.ids);
  const { db } = parts.submitting;
  const key = override?.plugin_key === undefined ? await ownMatch(db, read, importing) : override.plugin_key;
  try {
    const snapshot = key === null ? null : await readSnapshot(db, key, caller);
    return await submitItem(parts, { item, read, snapshot }, importing);
  } catch (error) {
    return refused([...findingsOfError(error, key), ...read.findings]);
  }
}

function warnOfDoubledId({ package: { external_id: id }, findings }: ReadItem, ids: Set<string>): void {
  if (id === null) return;
  if (ids.has(id)) findings.push(finding('DUPLICATE_ID', { pointer: '/manifest/id' }, { id }));
  ids.add(id);
}

/** The plugin that a package is a version of when nothing is chosen; null for a new one. */
async function ownMatch(db: Db, read: ReadItem, { caller, language }: Importing): Promise<string | null> {
  const { external_id } = read.package;
  if (external_id === null) return null;
  const described = { external_id, names: read.names };
  const [match] = await matchPackages(db, [described], { userId: caller.user_id, language });
  return match?.plugin_key ?? null;
}

async function submitItem(parts: ImportParts, work: Work, importing: Importing): Promise<Outcome> {
  const { submitting } = parts;
  const prepared = await prepareItem({ ...parts, db: submitting.db }, work, importing);
  if ('refused' in prepared) return refused(prepared.refused);
  const isNewVersion = work.snapshot !== null;
  const result = importing.dryRun
    ? await previewSubmission(submitting, prepared.submission)
    : await storeAndSubmit(parts, prepared);
  return imported(result, isNewVersion);
}

function imported({ plugin_key, version, findings }: PublishResult, isNewVersion: boolean): Outcome {
  return { ok: true, plugin_key, version, is_new_version: isNewVersion, errors: [], warnings: findings };
}

/** What has become of one item, wherever it stood. */
export type Outcome = Omit<BatchResult, 'file' | 'index'>;

/** Errors of a whole call that say something else of one item. */
const TARGET_FAULTS: Readonly<Record<string, FindingCode>> = {
  PLUGIN_NOT_FOUND: 'PLUGIN_UNKNOWN',
  FORBIDDEN: 'PLUGIN_FOREIGN',
};

/** An item that was not taken. */
export function refused(findings: readonly Finding[]): Outcome {
  const errors = findings.filter(({ severity }) => severity === 'error');
  return { ok: false, errors, warnings: findings.filter((found) => !errors.includes(found)) };
}

/**
 * An error met with one item as findings of it; the other items go on.
 * @param pluginKey the plugin it was to become a version of
 * @throws what is no answer to a client
 */
function findingsOfError(error: unknown, pluginKey: string | null): Finding[] {
  if (!isAppError(error)) throw error;
  const code = pluginKey === null ? undefined : TARGET_FAULTS[error.code];
  if (code && pluginKey !== null) {
    return [finding(code, { pointer: '/plugin_key' }, { plugin_key: pluginKey })];
  }
  return error.details.length > 0
    ? error.details.map((detail) => ({ ...fault(error), ...detail }))
    : [fault(error)];
}

function fault({ code, message }: AppError): Finding {
  return { code, severity: 'error', pointer: '', message };
}
