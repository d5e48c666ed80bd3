import { isDeepStrictEqual } from 'node:util';
import { AUDIT_PASSED, AUDIT_REFUSED } from '../../../shared/constants.ts';
import type { PublishResult } from '../../../shared/entities/review.ts';
import { finding } from '../../../shared/package/finding-codes.ts';
import { appError } from '../../http/errors.ts';
import { holdToTokenScope } from '../auth/token-scope.ts';
import { findEditablePlugin } from '../own/access.ts';
import type { StoredListing } from '../schema.ts';
import { keepFileRows, repeated, waiting, writeSubmission } from './hand-in.ts';
import { refuse } from './refusal.ts';
import {
  insertVersion,
  type KnownVersion,
  type LastSubmission,
  type LockedPlugin,
  lockPeople,
  lockPlugin,
  type NewVersion,
  readLastSubmission,
  readVersions,
  resubmitVersion,
} from './store.ts';
import type { HandingIn, Submission } from './submission.ts';
import { judgeVersion } from './version-rules.ts';

/** What is there of a plugin that is about to change; all of it locked. */
type Standing = {
  key: string;
  plugin: LockedPlugin;
  last: LastSubmission;
  /** The version that was handed in last. */
  target: KnownVersion;
  listing: StoredListing;
  isSameListing: boolean;
};

/** Hands in a version of a plugin that is there, or a change of its listing. */
export async function changePlugin(handingIn: HandingIn, key: string): Promise<PublishResult> {
  const { trx, submission } = handingIn;
  const plugin = await lockForChange(handingIn, key);
  const last = plugin && (await readLastSubmission(trx, plugin.id));
  const versions = plugin ? await readVersions(trx, plugin.id) : [];
  const target = versions.find(({ id }) => id === last?.plugin_version_id);
  if (!plugin || !last || !target) throw appError('PLUGIN_NOT_FOUND');
  const listing = submission.listing(last.listing);
  const isSameListing = isDeepStrictEqual(listing, last.listing);
  const standing = { key, plugin, last, target, listing, isSameListing };

  const verdict = submission.version && judgeVersion(versions, submission.version);
  if (verdict?.kind === 'refused') refuseVersion(verdict.finding);
  if (verdict?.kind === 'repeat' && verdict.known !== target) {
    return repeatEarlier(standing, verdict.known);
  }
  if (submission.version && verdict?.kind === 'new') {
    holdToBase(submission, last);
    return addVersion(handingIn, standing, submission.version);
  }
  return changeListing(handingIn, standing);
}

/** @throws FORBIDDEN, PLUGIN_NOT_FOUND */
async function lockForChange({ trx, submission }: HandingIn, key: string): Promise<LockedPlugin | undefined> {
  const { caller } = submission;
  holdToTokenScope(caller, key);
  const { publisher_id: publisherId } = await findEditablePlugin(trx, key, caller);
  await lockPeople(trx, caller, publisherId);
  return lockPlugin(trx, key);
}

function refuseVersion(found: ReturnType<typeof finding>): void {
  refuse([{ findings: [found], refusedAs: 'LISTING_INVALID' }]);
}

/** A listing cannot be handed in for a version that another one has followed. */
function repeatEarlier({ key, isSameListing, target }: Standing, known: KnownVersion): PublishResult {
  if (!isSameListing) {
    refuseVersion(finding('VERSION_NOT_GREATER', { pointer: '/version' }, { version: target.version }));
  }
  return repeated({ plugin_key: key, version: known.version, audit_status: known.audit_status });
}

/** @throws CONFLICT, which tells what was handed in meanwhile and by whom */
function holdToBase(
  { basedOn }: Submission,
  { id, created_by, created_by_name, created_at }: LastSubmission,
): void {
  if (basedOn === undefined || basedOn === id) return;
  throw appError('CONFLICT', {
    data: {
      submission_id: id,
      submitted_by: { user_id: created_by, nick_name: created_by_name },
      submitted_at: created_at.toISOString(),
    },
  });
}

async function addVersion(
  handingIn: HandingIn,
  { key, plugin, listing }: Standing,
  version: NewVersion,
): Promise<PublishResult> {
  const { trx, submission, at } = handingIn;
  await keepFileRows(handingIn, plugin.publisher_id);
  const versionId = await insertVersion(trx, version, {
    pluginId: plugin.id,
    userId: submission.caller.user_id,
    at: new Date(at),
  });
  await writeSubmission(handingIn, {
    pluginId: plugin.id,
    versionId,
    listing,
    note: version.note,
    findings: submission.findings,
    bringsVersion: true,
    hasPassed: plugin.has_passed,
  });
  return waiting(key, version.version, submission.findings);
}

/** Hands in the version that is there once more: with another listing, or again after it was refused. */
async function changeListing(handingIn: HandingIn, standing: Standing): Promise<PublishResult> {
  const { trx, submission } = handingIn;
  const { key, plugin, last, target, listing, isSameListing } = standing;
  const kind = submission.versionText?.kind ?? target.kind;
  const note = submission.versionText?.note ?? target.note;
  const isSameVersion = kind === target.kind && isDeepStrictEqual(note, target.note);
  const isHandedInAgain = last.audit_status === AUDIT_REFUSED && !submission.version;
  if (isSameListing && isSameVersion && !isHandedInAgain) {
    return repeated({ plugin_key: key, version: target.version, audit_status: last.audit_status });
  }
  const hasPassed = target.audit_status === AUDIT_PASSED;
  if (hasPassed && !isSameVersion) {
    const { version } = target;
    refuseVersion(finding('VERSION_EXISTS', { pointer: '/version_note' }, { version }));
  }
  holdToBase(submission, last);
  await keepFileRows(withoutPackage(handingIn), plugin.publisher_id);
  if (!hasPassed) await resubmitVersion(trx, { id: target.id, kind, note });
  const findings = hasPassed ? submission.findings : [...submission.findings, ...target.findings];
  await writeSubmission(withoutPackage(handingIn), {
    pluginId: plugin.id,
    versionId: target.id,
    listing,
    note,
    findings,
    bringsVersion: !hasPassed,
    hasPassed: plugin.has_passed,
  });
  return waiting(key, target.version, findings);
}

/** A package that is there already takes no more space. */
function withoutPackage(handingIn: HandingIn): HandingIn {
  const { submission } = handingIn;
  const files = submission.files.filter(({ key }) => key !== submission.version?.packageKey);
  return { ...handingIn, submission: { ...submission, files } };
}
