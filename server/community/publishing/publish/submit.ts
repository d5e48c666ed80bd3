import { randomBytes } from 'node:crypto';
import type { PublishResult } from '../../../../shared/entities/review.ts';
import { checkScope } from '../../catalogue/plugins/access.ts';
import { lockPlugin } from '../../catalogue/plugins/store.ts';
import { writeLiveListing } from '../../catalogue/submissions/listings.ts';
import type { FileStore } from '../../files/media/files.ts';
import type { Pictures } from '../../files/media/pictures.ts';
import { insertFiles, insertPictures } from '../../files/media/store.ts';
import { storeFile } from '../../files/media/stored-files.ts';
import { insertNotices, noticeNames } from '../../people/notices/store.ts';
import type { Db } from '../../schema.ts';
import type { CheckDependencies } from './check-submission.ts';
import { type AttemptLimit, countedBy } from './limits.ts';
import { bytesOf, type Changes, planSubmission } from './plan.ts';
import {
  insertPlugin,
  insertSubmission,
  insertVersion,
  lockUsers,
  type PublisherState,
  readPublisher,
  resubmitVersion,
  supersedeWaiting,
  updateSubmittedPlugin,
} from './store.ts';
import { type PluginSnapshot, readSnapshot, type Submission, type SubmitDependencies } from './submission.ts';

export type StoreDependencies = SubmitDependencies & { files: FileStore; pictures: Pictures };

/** What the form and the batch work with. */
export type PublishDependencies = StoreDependencies &
  CheckDependencies & { attempts: AttemptLimit; dataDir: string };

/**
 * Submits a plugin, a version or a change of the listing for review. A refused or repeated submission stores nothing.
 * Otherwise the files are stored first; then one transaction locks the plugin and its users, reads their state once,
 * applies the same rules again and writes the rows. Files of a lost race are deleted by the sweep. The published state of
 * the plugin does not change.
 * @param options.dryRun stores nothing and returns the result that a submission would have now
 * @throws the errors of `planSubmission`; STORAGE_FULL
 */
export async function storeAndSubmit(
  dependencies: StoreDependencies,
  submission: Submission,
  { dryRun } = { dryRun: false },
): Promise<PublishResult> {
  const { db, quotas, now, files, pictures } = dependencies;
  const state = submission.snapshot ?? (await readState(dependencies, submission));
  const planned = planSubmission(submission, state, { quotas, now: now() });
  if (dryRun || !planned.changes) return planned.result;
  for (const picture of submission.pictures) await pictures.store(picture);
  for (const file of submission.files) await storeFile(files, file);
  return db.transaction().execute(async (trx) => {
    await lockState(trx, submission);
    const locked = await readState({ ...dependencies, db: trx }, submission);
    const { result, changes } = planSubmission(submission, locked, { quotas, now: now() });
    if (!changes) return result;
    const written = { version: result.version, at: new Date(now()) };
    return { ...result, plugin_key: await writeChanges(trx, submission, changes, written) };
  });
}

/**
 * Locks the users and then the plugin until the transaction ends. The state is read by a later statement: one that waited for
 * a lock still sees other tables as they were before.
 */
async function lockState(trx: Db, { caller, snapshot }: Submission): Promise<void> {
  await lockUsers(trx, caller, snapshot?.publisher_id ?? caller.user_id);
  if (snapshot) await lockPlugin(trx, snapshot.plugin_key);
}

/**
 * Reads what a submission depends on.
 * @throws PLUGIN_NOT_FOUND, FORBIDDEN
 */
async function readState(
  { db, quotas, now }: SubmitDependencies,
  { caller, snapshot, version }: Submission,
): Promise<PluginSnapshot | PublisherState> {
  if (snapshot) return readSnapshot({ db, quotas, now }, snapshot.plugin_key, caller);
  checkScope(caller, null);
  return readPublisher(db, countedBy(quotas.limits, caller.user_id, now()), version);
}

/** Writes a submission, which replaces one that waits for review. @returns the plugin's key */
async function writeChanges(
  trx: Db,
  submission: Submission,
  changes: Changes,
  { version: number, at }: { version: string; at: Date },
): Promise<string> {
  const { snapshot, listing, version, note, includesVersion } = changes;
  const { externalId = null } = submission;
  const { user_id: userId } = submission.caller;
  const key = snapshot?.plugin_key ?? newPluginKey();
  const hasPassed = snapshot?.has_passed ?? false;
  const publisherId = snapshot?.publisher_id ?? userId;
  const pictures = submission.pictures.map(({ picture }) => picture);
  const files = changes.files.map(({ file }) => file);
  await insertPictures(trx, pictures);
  await insertFiles(trx, files);
  const pluginId = snapshot?.id ?? (await insertPlugin(trx, { key, publisherId, externalId, listing, at }));
  const versionId =
    'id' in version ? version.id : await insertVersion(trx, version, { pluginId, userId, at });
  if ('id' in version && includesVersion) await resubmitVersion(trx, { ...version, note });
  if (snapshot) await supersedeWaiting(trx, pluginId);
  await insertSubmission(trx, { ...changes, pluginId, versionId, isFirst: !hasPassed, userId, at });
  await updateSubmittedPlugin(trx, { pluginId, bytes: bytesOf(submission, changes), at, hasPassed });
  if (!hasPassed) await writeLiveListing(trx, pluginId, listing);
  const names = noticeNames({ names: listing.name, default_lang: listing.default_lang });
  const data = { plugin_key: key, ...names, version: number };
  const notified = [...new Set([userId, publisherId])];
  await insertNotices(
    trx,
    notified.map((id) => ({ userId: id, kind: 'submitted' as const, data, actorId: userId })),
    at,
  );
  return key;
}

/** Keys are parts of shared links: with a letter or digit at both ends, no link detection cuts them. */
function newPluginKey(): string {
  for (;;) {
    const key = randomBytes(12).toString('base64url');
    if (/^[A-Za-z0-9].*[A-Za-z0-9]$/.test(key)) return key;
  }
}
