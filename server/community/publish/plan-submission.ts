import { isDeepStrictEqual } from 'node:util';
import { AUDIT_PASSED, AUDIT_REFUSED, AUDIT_WAITING } from '../../../shared/constants.ts';
import type { Finding } from '../../../shared/entities/finding.ts';
import type { PublishResult } from '../../../shared/entities/review.ts';
import type { Texts } from '../../../shared/languages.ts';
import { finding } from '../../../shared/package/finding-codes.ts';
import { missingFindings } from '../../../shared/package/listing-rules.ts';
import { appError } from '../../http/errors.ts';
import { holdToTokenScope } from '../auth/caller.ts';
import type { KeptFile } from '../media/stored-files.ts';
import type { Db, StoredListing } from '../schema.ts';
import { holdToLimits, holdToQuota, type PublishQuotas } from './limits.ts';
import {
  findByPackage,
  type KnownVersion,
  type LastSubmission,
  lockPeople,
  type NewVersion,
} from './store.ts';
import { type PluginSnapshot, readSnapshot, refuse, type Submission } from './submission.ts';
import { versionVerdict } from './version.ts';

/** What a submission comes to: what is answered, and what is written unless it is there already. */
type Plan = { result: PublishResult; changes?: Changes };

export type Changes = {
  /** Null for a new plugin. */
  snapshot: PluginSnapshot | null;
  listing: StoredListing;
  /** A new version, or the one that is there and is submitted again. */
  version: NewVersion | Pick<KnownVersion, 'id' | 'kind'>;
  note: Texts;
  findings: readonly Finding[];
  bringsVersion: boolean;
  files: readonly KeptFile[];
};

/** Stands for the key that a new plugin does not get when nothing is stored. */
const DRY_RUN_KEY = 'dry-run-no-key';

type PlanOptions = { quotas: PublishQuotas; now: () => number; lock: boolean };

/**
 * Reads all that a submission depends on and applies the rules; with `lock`, they hold until the transaction ends.
 * @throws PLUGIN_NOT_FOUND, FORBIDDEN, CONFLICT, VERSION_EXISTS, VERSION_NOT_GREATER, PUBLISH_LIMIT_REACHED,
 * QUOTA_EXCEEDED, LISTING_INVALID with all that is missing, and what `submission.listing` throws
 */
export async function planSubmission(
  db: Db,
  submission: Submission,
  { quotas, now, lock }: PlanOptions,
): Promise<Plan> {
  const { caller, pluginKey } = submission;
  const plan =
    pluginKey === null
      ? await planPlugin(db, submission, lock)
      : planChange(submission, await readSnapshot(db, pluginKey, caller, { lock }));
  if (!plan.changes) return plan;
  const { snapshot, listing, note, bringsVersion } = plan.changes;
  await holdToLimits(db, caller, quotas.limits, now());
  await holdToQuota(db, snapshot?.plugin.publisher_id ?? caller.user_id, {
    bytes: bytesOf(submission, plan.changes),
    quotaBytes: quotas.quotaBytes,
  });
  const missing = missingFindings({ ...listing, version_note: note }, { bringsVersion });
  refuse([{ findings: missing, refusedAs: 'LISTING_INVALID' }]);
  return plan;
}

/** A plugin that nobody but its publisher and administrators sees until it passes. */
async function planPlugin(db: Db, submission: Submission, lock: boolean): Promise<Plan> {
  const { caller, version, files } = submission;
  if (!version) throw new TypeError('a new plugin needs a version');
  holdToTokenScope(caller, null);
  if (lock) await lockPeople(db, caller, caller.user_id);
  const known = await findByPackage(db, { ...version, publisherId: caller.user_id });
  if (known) return repeated(known);
  return waiting(DRY_RUN_KEY, version.version, {
    snapshot: null,
    listing: submission.listing(null),
    version,
    note: version.note,
    findings: submission.findings,
    bringsVersion: true,
    files,
  });
}

/** A version of a plugin that is there, or a change of its listing. */
function planChange(submission: Submission, snapshot: PluginSnapshot): Plan {
  const { version, findings, files } = submission;
  const { pluginKey, last, target, versions } = snapshot;
  const listing = submission.listing(last.listing);
  const isSameListing = isDeepStrictEqual(listing, last.listing);
  const verdict = version && versionVerdict(versions, version);
  if (verdict?.kind === 'refused') refuseVersion(verdict.finding);
  if (verdict?.kind === 'repeat' && verdict.known !== target) {
    // A listing cannot be submitted for a version that another one has followed.
    if (!isSameListing) {
      refuseVersion(finding('VERSION_NOT_GREATER', { pointer: '/version' }, { version: target.version }));
    }
    const { known } = verdict;
    return repeated({ plugin_key: pluginKey, version: known.version, audit_status: known.audit_status });
  }
  if (version && verdict?.kind === 'new') {
    holdToBase(submission, last);
    const changes = { snapshot, listing, version, note: version.note, findings, bringsVersion: true, files };
    return waiting(pluginKey, version.version, changes);
  }
  return planResubmission(submission, snapshot, { listing, isSameListing });
}

/** The version that is there under review once more: with another listing, or again after it was refused. */
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
  const hasPassed = target.audit_status === AUDIT_PASSED;
  if (hasPassed && !isSameVersion) {
    refuseVersion(finding('VERSION_EXISTS', { pointer: '/version_note' }, { version }));
  }
  holdToBase(submission, last);
  return waiting(pluginKey, version, {
    snapshot,
    listing,
    version: { id: target.id, kind },
    note,
    findings: hasPassed ? submission.findings : [...submission.findings, ...target.findings],
    bringsVersion: !hasPassed,
    // A package that is there already takes no more space.
    files: submission.files.filter(({ key }) => key !== submission.version?.packageKey),
  });
}

function refuseVersion(found: Finding): void {
  refuse([{ findings: [found], refusedAs: 'LISTING_INVALID' }]);
}

/** @throws CONFLICT, which tells what was submitted meanwhile and by whom */
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

/** Bytes that a submission adds to what is stored for its plugin. */
export function bytesOf({ pictures }: Submission, { files }: Changes): number {
  return [...pictures, ...files].reduce((sum, { bytes }) => sum + bytes, 0);
}
