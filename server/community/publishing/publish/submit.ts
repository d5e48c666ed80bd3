import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { AUDIT_PASSED, AUDIT_REFUSED, AUDIT_WAITING } from '../../../../shared/constants.ts';
import type { Finding } from '../../../../shared/entities/finding.ts';
import type { PublishResult } from '../../../../shared/entities/review.ts';
import type { Texts } from '../../../../shared/languages.ts';
import { finding } from '../../../../shared/package/finding-codes.ts';
import { missingFindings } from '../../../../shared/package/listing-rules.ts';
import { checkScope } from '../../catalogue/plugins/access.ts';
import { writeLiveListing } from '../../catalogue/submissions/listings.ts';
import type { FileStore } from '../../files/media/files.ts';
import type { Pictures } from '../../files/media/pictures.ts';
import { insertFiles, insertPictures } from '../../files/media/store.ts';
import { type StoredFile, storeFile } from '../../files/media/stored-files.ts';
import { insertNotices, noticeNames } from '../../people/notices/store.ts';
import type { Db, StoredListing } from '../../schema.ts';
import { checkPublishLimits, checkQuota, type PublishQuotas } from './limits.ts';
import {
  findByPackage,
  insertPlugin,
  insertSubmission,
  insertVersion,
  type KnownVersion,
  lockUsers,
  type NewVersion,
  resubmitVersion,
  supersedeWaiting,
  updateSubmittedPlugin,
} from './store.ts';
import {
  type CheckedSubmission,
  checkBase,
  compareVersion,
  type PluginSnapshot,
  readSnapshot,
  refuse,
  type Submission,
} from './submission.ts';

export type SubmitDependencies = { db: Db; quotas: PublishQuotas; now: () => number };
export type StoreDependencies = { submitting: SubmitDependencies; files: FileStore; pictures: Pictures };

/**
 * Submits a plugin, a version or a change of the listing for review. A refused or repeated submission stores nothing.
 * Otherwise the files are stored first; then one transaction locks the plugin and its users, applies the same rules again
 * and writes the rows. Files of a lost race are deleted by the sweep. The published state of the plugin does not change.
 * @param options.dryRun stores nothing and returns the result that a submission would have now
 * @throws the errors of `planSubmission`; STORAGE_FULL
 */
export async function storeAndSubmit(
  { submitting, ...stores }: StoreDependencies,
  { submission, pictures, files }: CheckedSubmission,
  { dryRun } = { dryRun: false },
): Promise<PublishResult> {
  const { db, now } = submitting;
  const planned = await planSubmission(db, submission, { ...submitting, lock: false });
  if (dryRun || !planned.changes) return planned.result;
  for (const picture of pictures) await stores.pictures.store(picture);
  for (const file of files) await storeFile(stores.files, file);
  return db.transaction().execute(async (trx) => {
    const { result, changes } = await planSubmission(trx, submission, { ...submitting, lock: true });
    if (!changes) return result;
    const written = { version: result.version, at: new Date(now()) };
    return { ...result, plugin_key: await writeChanges(trx, submission, changes, written) };
  });
}

/** The answer to a submission; the changes to write are missing for a repeated one. */
type Plan = { result: PublishResult; changes?: Changes };

type Changes = {
  /** Null for a new plugin. */
  snapshot: PluginSnapshot | null;
  listing: StoredListing;
  /** A new version, or a stored one that is submitted again. */
  version: NewVersion | Pick<KnownVersion, 'id' | 'kind'>;
  note: Texts;
  findings: readonly Finding[];
  bringsVersion: boolean;
  files: readonly StoredFile[];
};

/** The key in the answer of a dry run, which creates no plugin. */
const DRY_RUN_KEY = 'dry-run-no-key';

/**
 * Reads everything that a submission depends on and applies the rules; with `lock`, they hold until the transaction ends.
 * @throws PLUGIN_NOT_FOUND, FORBIDDEN, CONFLICT, VERSION_EXISTS, VERSION_NOT_GREATER, PUBLISH_LIMIT_REACHED,
 * QUOTA_EXCEEDED, LISTING_INVALID with all missing fields, and the errors of `submission.listing`
 */
async function planSubmission(
  db: Db,
  submission: Submission,
  { quotas, now, lock }: { quotas: PublishQuotas; now: () => number; lock: boolean },
): Promise<Plan> {
  const { caller, pluginKey } = submission;
  const plan =
    pluginKey === null
      ? await planPlugin(db, submission, lock)
      : planChange(submission, await readSnapshot(db, pluginKey, caller, { lock }));
  if (!plan.changes) return plan;
  const { snapshot, listing, note, bringsVersion } = plan.changes;
  await checkPublishLimits(db, caller, quotas.limits, now());
  await checkQuota(db, snapshot?.plugin.publisher_id ?? caller.user_id, {
    bytes: bytesOf(submission, plan.changes),
    quotaBytes: quotas.quotaBytes,
  });
  const missing = missingFindings({ ...listing, version_note: note }, { bringsVersion });
  refuse([{ findings: missing, refusedAs: 'LISTING_INVALID' }]);
  return plan;
}

/** A new plugin, which only its publisher and administrators see until it is approved. */
async function planPlugin(db: Db, submission: Submission, lock: boolean): Promise<Plan> {
  const { caller, version, files, findings } = submission;
  if (!version) throw new TypeError('a new plugin needs a version');
  checkScope(caller, null);
  if (lock) await lockUsers(db, caller, caller.user_id);
  const known = await findByPackage(db, { ...version, publisherId: caller.user_id });
  if (known) return repeated(known);
  return waiting(DRY_RUN_KEY, version.version, {
    snapshot: null,
    listing: submission.listing(null),
    version,
    note: version.note,
    findings,
    bringsVersion: true,
    files,
  });
}

/** A new version of a plugin, or a change of its listing. */
function planChange(submission: Submission, snapshot: PluginSnapshot): Plan {
  const { version, findings, files } = submission;
  const { pluginKey, last, target, versions } = snapshot;
  const listing = submission.listing(last.listing);
  const isSameListing = isDeepStrictEqual(listing, last.listing);
  const compared = version && compareVersion(versions, version);
  if (compared?.kind === 'refused') refuseVersion(compared.finding);
  if (compared?.kind === 'repeat' && compared.known !== target) {
    // The listing cannot change with a version that is not the latest.
    if (!isSameListing) {
      refuseVersion(finding('VERSION_NOT_GREATER', { pointer: '/version' }, { version: target.version }));
    }
    const { known } = compared;
    return repeated({ plugin_key: pluginKey, version: known.version, audit_status: known.audit_status });
  }
  if (version && compared?.kind === 'new') {
    checkBase(submission, last);
    const changes = { snapshot, listing, version, note: version.note, findings, bringsVersion: true, files };
    return waiting(pluginKey, version.version, changes);
  }
  return planResubmission(submission, snapshot, { listing, isSameListing });
}

/** The latest version again: with another listing, or unchanged after it was refused. */
function planResubmission(
  submission: Submission,
  snapshot: PluginSnapshot,
  { listing, isSameListing }: { listing: StoredListing; isSameListing: boolean },
): Plan {
  const { pluginKey, last, target } = snapshot;
  const { version } = target;
  const { kind = target.kind, note = target.note } = submission.versionText ?? {};
  const isSameVersion = kind === target.kind && isDeepStrictEqual(note, target.note);
  const isRetry = last.audit_status === AUDIT_REFUSED && !submission.version;
  if (isSameListing && isSameVersion && !isRetry) {
    return repeated({ plugin_key: pluginKey, version, audit_status: last.audit_status });
  }
  const isApproved = target.audit_status === AUDIT_PASSED;
  if (isApproved && !isSameVersion) {
    refuseVersion(finding('VERSION_EXISTS', { pointer: '/version_note' }, { version }));
  }
  checkBase(submission, last);
  return waiting(pluginKey, version, {
    snapshot,
    listing,
    version: { id: target.id, kind },
    note,
    findings: isApproved ? submission.findings : [...submission.findings, ...target.findings],
    bringsVersion: !isApproved,
    // The package of this version is stored and counted already.
    files: submission.files.filter(({ key }) => key !== submission.version?.packageKey),
  });
}

function refuseVersion(found: Finding): void {
  refuse([{ findings: [found], refusedAs: 'LISTING_INVALID' }]);
}

function waiting(plugin_key: string, version: string, changes: Changes): Plan {
  const findings = [...changes.findings];
  return { result: { plugin_key, version, audit_status: AUDIT_WAITING, findings }, changes };
}

function repeated(state: Omit<PublishResult, 'findings'>): Plan {
  const { version } = state;
  return {
    result: { ...state, findings: [finding('VERSION_REPEATED', { pointer: '/version' }, { version })] },
  };
}

/** Bytes that a submission adds to the storage of its plugin. */
function bytesOf({ pictures }: Submission, { files }: Changes): number {
  return [...pictures, ...files].reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Writes a submission, which replaces one that waits for review. @returns the plugin's key */
async function writeChanges(
  trx: Db,
  submission: Submission,
  changes: Changes,
  { version: number, at }: { version: string; at: Date },
): Promise<string> {
  const { snapshot, listing, version, note, bringsVersion } = changes;
  const { externalId = null, pictures } = submission;
  const { user_id: userId } = submission.caller;
  const key = snapshot?.pluginKey ?? newPluginKey();
  const hasPassed = snapshot?.plugin.has_passed ?? false;
  const publisherId = snapshot?.plugin.publisher_id ?? userId;
  await insertPictures(trx, pictures);
  await insertFiles(trx, changes.files);
  const pluginId =
    snapshot?.plugin.id ?? (await insertPlugin(trx, { key, publisherId, externalId, listing, at }));
  const versionId =
    'id' in version ? version.id : await insertVersion(trx, version, { pluginId, userId, at });
  if ('id' in version && bringsVersion) await resubmitVersion(trx, { ...version, note });
  await supersedeWaiting(trx, pluginId);
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
