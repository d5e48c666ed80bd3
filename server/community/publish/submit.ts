import { randomBytes } from 'node:crypto';
import type { PublishResult } from '../../../shared/entities/review.ts';
import { textIn } from '../../../shared/languages.ts';
import type { FileStore } from '../media/files.ts';
import type { Pictures } from '../media/pictures.ts';
import { insertFiles, insertPictures } from '../media/store.ts';
import { storeFile } from '../media/stored-files.ts';
import { insertNotices, readSubject } from '../notices/store.ts';
import type { Db } from '../schema.ts';
import { writeLiveListing } from '../submissions/listings.ts';
import type { PublishQuotas } from './limits.ts';
import { bytesOf, type Changes, planSubmission } from './plan-submission.ts';
import {
  insertPlugin,
  insertSubmission,
  insertVersion,
  noteChange,
  resubmitVersion,
  supersedeWaiting,
} from './store.ts';
import type { CheckedSubmission, Submission } from './submission.ts';

export type SubmitParts = { db: Db; quotas: PublishQuotas; now: () => number };
export type StoreParts = { submitting: SubmitParts; files: FileStore; pictures: Pictures };

/**
 * What submitting would answer now: rights, version, limits and quota are read, nothing is locked or written.
 * @throws what `planSubmission` throws
 */
export async function previewSubmission(parts: SubmitParts, submission: Submission): Promise<PublishResult> {
  return (await planSubmission(parts.db, submission, { ...parts, lock: false })).result;
}

/**
 * Submits a plugin, a version of it or a change of its listing for review. What would be refused, or is there already,
 * stores nothing. Then the files are stored, and the same rules hold in the one transaction that writes the rows, with
 * the plugin and its people locked; files that a lost race leaves behind are for the sweep. What others see of a plugin
 * that has passed stays as it is. The same version with the same package, and nothing else new, is a harmless repeat that
 * answers what is there.
 * @throws what `planSubmission` throws; STORAGE_FULL
 */
export async function storeAndSubmit(
  { submitting, ...stores }: StoreParts,
  { submission, pictures, files }: CheckedSubmission,
): Promise<PublishResult> {
  const { db, now } = submitting;
  const planned = await planSubmission(db, submission, { ...submitting, lock: false });
  if (!planned.changes) return planned.result;
  for (const picture of pictures) await stores.pictures.store(picture);
  for (const file of files) await storeFile(stores.files, file);
  return db.transaction().execute(async (trx) => {
    const { result, changes } = await planSubmission(trx, submission, { ...submitting, lock: true });
    if (!changes) return result;
    return { ...result, plugin_key: await writeChanges(trx, { submission, changes, at: new Date(now()) }) };
  });
}

type Writing = { submission: Submission; changes: Changes; at: Date };

/** Writes the submission in place of one that still waits. @returns the plugin's key */
async function writeChanges(trx: Db, { submission, changes, at }: Writing): Promise<string> {
  const { snapshot, listing, version, note } = changes;
  const { user_id: userId } = submission.caller;
  const key = snapshot?.pluginKey ?? newPluginKey();
  const hasPassed = snapshot?.plugin.has_passed ?? false;
  await insertPictures(trx, submission.pictures);
  await insertFiles(trx, changes.files);
  const { externalId = null } = submission;
  const pluginId =
    snapshot?.plugin.id ?? (await insertPlugin(trx, { key, publisherId: userId, externalId, listing, at }));
  let versionId: number;
  if ('id' in version) {
    versionId = version.id;
    if (changes.bringsVersion) await resubmitVersion(trx, { ...version, note });
  } else {
    versionId = await insertVersion(trx, version, { pluginId, userId, at });
  }
  await supersedeWaiting(trx, pluginId);
  await insertSubmission(trx, { ...changes, pluginId, versionId, isFirst: !hasPassed, userId, at });
  await noteChange(trx, { pluginId, bytes: bytesOf(submission, changes), at, hasPassed });
  if (!hasPassed) await writeLiveListing(trx, pluginId, listing);
  const { publisher_id, ...subject } = await readSubject(trx, { pluginId, versionId });
  const plugin_name = textIn(listing.name, listing.default_lang, listing.default_lang).text;
  const notified = [...new Set([userId, publisher_id])];
  await insertNotices(
    trx,
    notified.map((id) => ({ userId: id, kind: 'submitted' as const, data: { ...subject, plugin_name } })),
    at,
  );
  return key;
}

/** Keys are parts of links that people share: letters and digits at their ends, so that nothing cuts them off. */
function newPluginKey(): string {
  for (;;) {
    const key = randomBytes(12).toString('base64url');
    if (/^[A-Za-z0-9].*[A-Za-z0-9]$/.test(key)) return key;
  }
}
