import { isDeepStrictEqual } from 'node:util';
import { AUDIT_PASSED, AUDIT_REFUSED, AUDIT_WAITING } from '../../../../shared/constants.ts';
import type { Finding } from '../../../../shared/entities/finding.ts';
import type { PublishResult } from '../../../../shared/entities/review.ts';
import type { Texts } from '../../../../shared/languages.ts';
import { finding } from '../../../../shared/package/finding-codes.ts';
import { missingFindings } from '../../../../shared/package/listing-rules.ts';
import { appError } from '../../../http/errors.ts';
import type { PreparedFile } from '../../files/media/stored-files.ts';
import type { StoredListing } from '../../schema.ts';
import { checkUsage, type PublishQuotas } from './limits.ts';
import type { KnownVersion, LastSubmission, NewVersion, PublisherState } from './store.ts';
import { compareVersion, type PluginSnapshot, refuse, type Submission } from './submission.ts';

/** The answer to a submission; the changes to write are missing for a repeated one. */
type Plan = { result: PublishResult; changes?: Changes };

export type Changes = {
  /** Null for a new plugin. */
  snapshot: PluginSnapshot | null;
  listing: StoredListing;
  /** A new version, or a stored one that is submitted again. */
  version: NewVersion | Pick<KnownVersion, 'id' | 'kind'>;
  note: Texts;
  findings: readonly Finding[];
  includesVersion: boolean;
  files: readonly PreparedFile[];
};

/** The key in the answer of a dry run, which creates no plugin. */
const DRY_RUN_KEY = 'dry-run-no-key';

/**
 * Applies the rules to a submission.
 * @throws CONFLICT, VERSION_EXISTS, VERSION_NOT_GREATER, PUBLISH_LIMIT_REACHED, QUOTA_EXCEEDED, LISTING_INVALID with all
 * missing fields, and the errors of `submission.listing`
 */
export function planSubmission(
  submission: Submission,
  state: PluginSnapshot | PublisherState,
  { quotas, now }: { quotas: PublishQuotas; now: number },
): Plan {
  const plan = 'repeated' in state ? planPlugin(submission, state) : planChange(submission, state);
  if (!plan.changes) return plan;
  const { listing, note, includesVersion } = plan.changes;
  checkUsage(state.usage, quotas, {
    caller: submission.caller,
    bytes: bytesOf(submission, plan.changes),
    now,
  });
  const missing = missingFindings({ ...listing, version_note: note }, { includesVersion });
  refuse([{ findings: missing, refusedAs: 'LISTING_INVALID' }]);
  return plan;
}

/** A new plugin, which only its publisher and administrators see until it is approved. */
function planPlugin(
  { version, files, findings, ...submission }: Submission,
  { repeated }: PublisherState,
): Plan {
  if (!version) throw new TypeError('a new plugin needs a version');
  if (repeated) return unchanged(repeated);
  return waiting(DRY_RUN_KEY, version.version, {
    snapshot: null,
    listing: submission.listing(null),
    version,
    note: version.note,
    findings,
    includesVersion: true,
    files,
  });
}

/** A new version of a plugin, or a change of its listing. */
function planChange(submission: Submission, snapshot: PluginSnapshot): Plan {
  const { version, findings, files } = submission;
  const { plugin_key: pluginKey, last, target, versions } = snapshot;
  const listing = submission.listing(last.listing);
  const isSameListing = isDeepStrictEqual(listing, last.listing);
  const compared = version && compareVersion(versions, version);
  if (compared?.kind === 'refused') refuseVersion(compared.finding);
  if (compared?.kind === 'repeat' && compared.known.id !== target.id) {
    // The listing cannot change with a version that is not the latest.
    if (!isSameListing) {
      refuseVersion(finding('VERSION_NOT_GREATER', { pointer: '/version' }, { version: target.version }));
    }
    const { known } = compared;
    return unchanged({ plugin_key: pluginKey, version: known.version, audit_status: known.audit_status });
  }
  if (version && compared?.kind === 'new') {
    checkBase(submission, last);
    const changes = {
      snapshot,
      listing,
      version,
      note: version.note,
      findings,
      includesVersion: true,
      files,
    };
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
  const { plugin_key: pluginKey, last, target } = snapshot;
  const { version } = target;
  const { kind = target.kind, note = target.note } = submission.versionText ?? {};
  const isSameVersion = kind === target.kind && isDeepStrictEqual(note, target.note);
  const isRetry = last.audit_status === AUDIT_REFUSED && !submission.version;
  if (isSameListing && isSameVersion && !isRetry) {
    return unchanged({ plugin_key: pluginKey, version, audit_status: last.audit_status });
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
    includesVersion: !isApproved,
    // The package of this version is stored and counted already.
    files: submission.files.filter(({ file }) => file.key !== submission.version?.packageKey),
  });
}

/** @throws CONFLICT, with who submitted something else in the meantime, and when */
function checkBase({ basedOn }: Submission, last: LastSubmission): void {
  if (basedOn === undefined || basedOn === last.id) return;
  throw appError('CONFLICT', {
    data: {
      submission_id: last.id,
      submitted_by: { user_id: last.created_by, nick_name: last.created_by_name },
      submitted_at: new Date(last.created_at).toISOString(),
    },
  });
}

function refuseVersion(found: Finding): void {
  refuse([{ findings: [found], refusedAs: 'LISTING_INVALID' }]);
}

function waiting(plugin_key: string, version: string, changes: Changes): Plan {
  const findings = [...changes.findings];
  return { result: { plugin_key, version, audit_status: AUDIT_WAITING, findings }, changes };
}

function unchanged(state: Omit<PublishResult, 'findings'>): Plan {
  const { version } = state;
  return {
    result: { ...state, findings: [finding('VERSION_REPEATED', { pointer: '/version' }, { version })] },
  };
}

/** Bytes that a submission adds to the storage of its plugin. */
export function bytesOf({ pictures }: Submission, { files }: Changes): number {
  const stored = [...pictures.map(({ picture }) => picture), ...files.map(({ file }) => file)];
  return stored.reduce((sum, { bytes }) => sum + bytes, 0);
}
