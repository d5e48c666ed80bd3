import { AUDIT_PASSED } from '../../../../shared/constants.ts';
import type { Finding } from '../../../../shared/entities/finding.ts';
import type { Texts } from '../../../../shared/languages.ts';
import { finding } from '../../../../shared/package/finding-codes.ts';
import { missingFindings } from '../../../../shared/package/listing-rules.ts';
import type { FilesOf } from '../../files/forms/uploads.ts';
import { packageFile } from '../../files/media/stored-files.ts';
import type { StoredListing } from '../../schema.ts';
import type { PackageCheck } from '../packages/package-check.ts';
import { checkDraft, type Draft, type DraftDependencies } from './check-draft.ts';
import type { PLUGIN_FILES } from './check-media.ts';
import { similarNames } from './similar-names.ts';
import { refuse, type Submission } from './submission.ts';
import { verifiedNames } from './verified-names.ts';

export type CheckDependencies = DraftDependencies & { packages: PackageCheck };

type PluginFormCall = Omit<Draft, 'packaged' | 'files'> & {
  /** Whether a package is required. */
  needsPackage: boolean;
  files: FilesOf<typeof PLUGIN_FILES>;
};

/** Lengths of texts and lists are checked with the rest of the listing, so that one response lists all errors. */
export const CHECKED_WITH_LISTING = ['maxLength', 'maxItems'] as const;

/**
 * Checks everything that was submitted with a form, so that one response lists all errors; nothing is stored.
 * @throws AppError with all errors
 */
export async function checkSubmission(
  { packages, ...dependencies }: CheckDependencies,
  call: PluginFormCall,
): Promise<Submission> {
  const { caller, snapshot, fields, signal } = call;
  const [upload] = call.files.code;
  const code = upload ? await packages.check(upload.path, { userId: caller.user_id, signal }) : null;
  const packaged =
    upload && code?.package
      ? {
          read: code.package,
          file: packageFile({ key: code.sha256, bytes: upload.bytes, release: code.release }, upload.path),
          iconAt: '/icon',
        }
      : null;
  const { found, listing, note, toSubmission } = await checkDraft(dependencies, { ...call, packaged });
  const ofPackage = code?.findings ?? [];
  const version = code ? found.version : packageMissing(call);
  // An unreadable package may contain the missing fields.
  const missing = code === null || packaged ? missingOf(listing, note, call) : [];
  // Unchanged names are not warned about again.
  const before: Texts = snapshot?.last.listing.name ?? {};
  const names = newTexts(before, listing.name);
  const publisherId = snapshot?.publisher_id ?? caller.user_id;
  const newBy = snapshot === null ? caller : null;
  const verified = await verifiedNames(dependencies.db, { names, publisherId, newBy });
  refuse([
    { findings: verified, refusedAs: 'PUBLISHER_NAME_TAKEN' },
    { findings: ofPackage, refusedAs: 'PACKAGE_INVALID' },
    { findings: [...found.texts, ...missing, ...found.tags, ...version], refusedAs: 'LISTING_INVALID' },
    { findings: found.media, refusedAs: 'IMAGE_FORMAT' },
    { findings: found.order, refusedAs: 'LISTING_INVALID' },
  ]);
  const similar = await similarNames(dependencies.db, names, publisherId);
  const findings = [...ofPackage, ...found.tags, ...version, ...found.media, ...similar, ...verified];
  const versionText = { kind: fields.version_kind, note: fields.version_note };
  return { ...toSubmission(findings, ofPackage), versionText };
}

/** The error of a form without a package that needs one: for a new plugin, or for another version number. */
function packageMissing({ fields: { version }, snapshot, needsPackage }: PluginFormCall): Finding[] {
  const isOther = version !== undefined && version !== snapshot?.target.version;
  return needsPackage || isOther ? [finding('FIELD_REQUIRED', { pointer: '/code' })] : [];
}

/** What listing and version lack; each change submits a version under review again. */
function missingOf(
  listing: StoredListing,
  newNote: Texts | undefined,
  { snapshot, fields, files, needsPackage }: PluginFormCall,
): Finding[] {
  const isUnderReview = snapshot !== null && snapshot.target.audit_status !== AUDIT_PASSED;
  const noteUnderReview = isUnderReview ? snapshot.target.note : undefined;
  const note = newNote ?? fields.version_note ?? noteUnderReview;
  const includesVersion = needsPackage || files.code.length > 0 || isUnderReview;
  return missingFindings({ ...listing, version_note: note }, { includesVersion: includesVersion });
}

function newTexts(before: Readonly<Record<string, string>>, texts: Texts): Texts {
  return Object.fromEntries(Object.entries(texts).filter(([language, text]) => before[language] !== text));
}
