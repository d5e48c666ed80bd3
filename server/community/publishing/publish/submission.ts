import type { Finding } from '../../../../shared/entities/finding.ts';
import { type ErrorCode, isErrorCode } from '../../../../shared/errors.ts';
import type { Texts } from '../../../../shared/languages.ts';
import { finding } from '../../../../shared/package/finding-codes.ts';
import { compareVersions, isVersion } from '../../../../shared/package/version.ts';
import { appError } from '../../../http/errors.ts';
import { checkScope, editableBy } from '../../catalogue/plugins/access.ts';
import type { PreparedPicture } from '../../files/media/pictures.ts';
import type { PreparedFile } from '../../files/media/stored-files.ts';
import type { Caller } from '../../people/auth/caller.ts';
import type { Db, StoredListing } from '../../schema.ts';
import { countedBy, type PublishQuotas } from './limits.ts';
import {
  type KnownVersion,
  type LastSubmission,
  type NewVersion,
  type PluginState,
  readPluginState,
} from './store.ts';

export type SubmitDependencies = { db: Db; quotas: PublishQuotas; now: () => number };

/** A checked submission for review. Its files are stored durably before its rows are written. */
export type Submission = {
  caller: Caller;
  /** The plugin against which it was checked; null for a new one. */
  snapshot: PluginSnapshot | null;
  /**
   * The submitted listing, computed from that of the last submission (null for a new plugin). It runs within the
   * transaction; an error it throws refuses the submission.
   */
  listing(last: StoredListing | null): StoredListing;
  /** The new version; null for a change of the listing only. */
  version: NewVersion | null;
  /** Changes of the version under review, with a change of the listing only. */
  versionText?: { kind?: 'new' | 'fixed' | undefined; note?: Texts | undefined };
  /** `manifest.id` of the package, stored with a new plugin. */
  externalId?: string | null;
  /** Pictures, videos and package to store for it; their rows are written, and their bytes counted, with it. */
  pictures: readonly PreparedPicture[];
  files: readonly PreparedFile[];
  /** Warnings and notices of all checks, shown to publisher and reviewer. */
  findings: readonly Finding[];
  /** The submission that the change is based on; a conflict when there is a newer one. */
  basedOn?: number | undefined;
};

/** A plugin before a change, against which the change is checked, with the usage of its caller and publisher. */
export type PluginSnapshot = PluginState & {
  last: LastSubmission;
  /** The version of the last submission. */
  target: KnownVersion;
};

/**
 * Reads the snapshot of a plugin that the caller may change.
 * @throws PLUGIN_NOT_FOUND, FORBIDDEN
 */
export async function readSnapshot(
  { db, quotas, now }: SubmitDependencies,
  pluginKey: string,
  caller: Caller,
): Promise<PluginSnapshot> {
  checkScope(caller, pluginKey);
  const counted = countedBy(quotas.limits, caller.user_id, now());
  const { last, ...plugin } = editableBy(caller, await readPluginState(db, pluginKey, counted));
  const target = plugin.versions.find(({ id }) => id === last?.plugin_version_id);
  if (!last || !target) throw appError('PLUGIN_NOT_FOUND');
  return { ...plugin, last, target };
}

/** Findings of one part of a form. */
type CheckedPart = {
  findings: readonly Finding[];
  /** The error code of the response for findings whose own code is not an error code. */
  refusedAs: ErrorCode;
};

/** Findings of a package with an error code of their own; all others are PACKAGE_INVALID. */
const PACKAGE_CODES: Readonly<Record<string, ErrorCode>> = {
  NOT_JSON: 'CODE_FORMAT',
  PACKAGE_TOO_LARGE: 'PACKAGE_TOO_LARGE',
};

function codeOf({ code }: Finding, refusedAs: ErrorCode): ErrorCode {
  if (refusedAs === 'PACKAGE_INVALID') return PACKAGE_CODES[code] ?? refusedAs;
  return isErrorCode(code) ? code : refusedAs;
}

/**
 * Throws when any part has an error, with all errors of all parts; the first one decides the code.
 * @throws AppError
 */
export function refuse(parts: readonly CheckedPart[]): void {
  const errors = parts.flatMap(({ findings, refusedAs }) =>
    findings
      .filter(({ severity }) => severity === 'error')
      .map((found) => ({ found, code: codeOf(found, refusedAs) })),
  );
  const [first] = errors;
  if (!first) return;
  const { code, found } = first;
  throw appError(code, {
    details: [found, ...errors.slice(1).map((error) => error.found)],
    ...(found.params && { params: found.params }),
  });
}

/** The first version of a plugin when neither form nor package names one. */
const FIRST_VERSION = '1.0.0';

type VersionSources = {
  form: string | undefined;
  packaged: string | null;
  packageKey: string;
  /** Null for a new plugin. */
  snapshot: PluginSnapshot | null;
};

/** The version number of a package: from the form, else from the package; with the errors of that number. */
export function chooseVersion({ form, packaged, packageKey, snapshot }: VersionSources): {
  version: string;
  findings: Finding[];
} {
  const pointer = '/version';
  const named = form?.trim() || packaged;
  if (!named && snapshot) return { version: '', findings: [finding('FIELD_REQUIRED', { pointer })] };
  const version = named ?? FIRST_VERSION;
  if (!named) return { version, findings: [finding('VERSION_ASSUMED', { pointer }, { version })] };
  if (!isVersion(version)) {
    return { version, findings: [finding('VERSION_INVALID', { pointer }, { version })] };
  }
  const compared = compareVersion(snapshot?.versions ?? [], { version, packageKey });
  return { version, findings: compared.kind === 'refused' ? [compared.finding] : [] };
}

type ComparedVersion =
  | { kind: 'new' }
  /** The same number with the same package. */
  | { kind: 'repeat'; known: KnownVersion }
  | { kind: 'refused'; finding: Finding };

/**
 * Compares a version number with all versions there ever were of its plugin (R 6.9): it must be greater by
 * precedence (Semantic Versioning 2.0.0 section 11) than each of them, or a repeat with the same package.
 */
export function compareVersion(
  known: readonly KnownVersion[],
  { version, packageKey }: { version: string; packageKey: string },
): ComparedVersion {
  const pointer = '/version';
  const same = known.find((other) => other.version === version);
  if (same?.package_key === packageKey) return { kind: 'repeat', known: same };
  if (same) return { kind: 'refused', finding: finding('VERSION_EXISTS', { pointer }, { version }) };
  const numbers = known.map((other) => other.version).filter(isVersion);
  const greatest = numbers.toSorted(compareVersions).at(-1);
  if (greatest !== undefined && compareVersions(version, greatest) <= 0) {
    return { kind: 'refused', finding: finding('VERSION_NOT_GREATER', { pointer }, { version: greatest }) };
  }
  return { kind: 'new' };
}
