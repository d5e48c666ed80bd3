import { AUDIT_WAITING } from '../../../shared/constants.ts';
import type { Finding } from '../../../shared/entities/finding.ts';
import type { PublishResult } from '../../../shared/entities/review.ts';
import { type Texts, textIn } from '../../../shared/languages.ts';
import { finding } from '../../../shared/package/finding-codes.ts';
import { missingFindings } from '../../../shared/package/listing-rules.ts';
import { insertFiles, insertPictures } from '../media/store.ts';
import { insertNotices, readSubject } from '../notices/store.ts';
import type { StoredListing } from '../schema.ts';
import { writeLiveListing } from '../submissions/live-listing.ts';
import { refuse } from './refusal.ts';
import { holdToLimits, holdToQuota } from './rules/limits.ts';
import { insertSubmission, noteChange, supersedeWaiting } from './store.ts';
import type { HandingIn } from './submission.ts';

/** Bytes that a submission adds to what is stored for its plugin. */
function bytesOf({ submission: { pictures, files } }: HandingIn): number {
  return [...pictures, ...files].reduce((sum, { bytes }) => sum + bytes, 0);
}

/**
 * Holds the caller to his limits and the publisher to his quota, then writes the rows of what was stored.
 * @throws PUBLISH_LIMIT_REACHED, QUOTA_EXCEEDED
 */
export async function keepFileRows(handingIn: HandingIn, publisherId: number): Promise<void> {
  const { trx, submission, quotas, at } = handingIn;
  await holdToLimits(trx, submission.caller, quotas.limits, at);
  await holdToQuota(trx, publisherId, { bytes: bytesOf(handingIn), quotaBytes: quotas.quotaBytes });
  await insertPictures(trx, submission.pictures);
  await insertFiles(trx, submission.files);
}

export type HandedIn = {
  pluginId: number;
  versionId: number;
  listing: StoredListing;
  /** Note of that version. */
  note: Texts;
  findings: readonly Finding[];
  bringsVersion: boolean;
  /** The plugin has passed before, so its live rows are what others see. */
  hasPassed: boolean;
};

/**
 * Writes the submission, in place of one that still waits. Whoever hands it in and how: nothing gets here that is not
 * complete.
 * @throws LISTING_INVALID with all that is missing
 */
export async function writeSubmission(handingIn: HandingIn, handedIn: HandedIn): Promise<void> {
  const { trx, submission, at } = handingIn;
  const { pluginId, listing, hasPassed, note, bringsVersion } = handedIn;
  const missing = missingFindings({ ...listing, version_note: note }, { bringsVersion });
  refuse([{ findings: missing, refusedAs: 'LISTING_INVALID' }]);
  const time = new Date(at);
  await supersedeWaiting(trx, pluginId);
  await insertSubmission(trx, {
    ...handedIn,
    isFirst: !hasPassed,
    userId: submission.caller.user_id,
    at: time,
  });
  await noteChange(trx, { pluginId, bytes: bytesOf(handingIn), at: time, hasPassed });
  if (!hasPassed) await writeLiveListing(trx, pluginId, listing);
  await tellOfSubmission(handingIn, handedIn);
}

/** Tells who handed something in and, where an administrator did, the plugin's publisher. */
async function tellOfSubmission({ trx, submission, at }: HandingIn, handedIn: HandedIn): Promise<void> {
  const { publisher_id, ...subject } = await readSubject(trx, handedIn);
  const { name, default_lang } = handedIn.listing;
  const data = { ...subject, plugin_name: textIn(name, default_lang, default_lang).text };
  const told = [...new Set([submission.caller.user_id, publisher_id])];
  await insertNotices(
    trx,
    told.map((userId) => ({ userId, kind: 'submitted' as const, data })),
    new Date(at),
  );
}

/** What is answered for something that now waits for review. */
export function waiting(plugin_key: string, version: string, findings: readonly Finding[]): PublishResult {
  return { plugin_key, version, audit_status: AUDIT_WAITING, findings: [...findings] };
}

/** What is answered for something that was there already. */
export function repeated(state: Omit<PublishResult, 'findings'>): PublishResult {
  const { version } = state;
  return { ...state, findings: [finding('VERSION_REPEATED', { pointer: '/version' }, { version })] };
}
