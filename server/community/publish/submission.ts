import type { Finding } from '../../../shared/entities/finding.ts';
import { type ErrorCode, isErrorCode } from '../../../shared/errors.ts';
import type { Texts } from '../../../shared/languages.ts';
import { appError } from '../../http/errors.ts';
import { type Caller, holdToTokenScope } from '../auth/caller.ts';
import type { KeptPicture, PreparedPicture } from '../media/prepare-picture.ts';
import type { KeptFile, PreparedFile } from '../media/stored-files.ts';
import { findEditablePlugin } from '../plugins/access.ts';
import type { Db, StoredListing } from '../schema.ts';
import {
  type KnownVersion,
  type LastSubmission,
  lockPeople,
  type NewVersion,
  readLastSubmission,
  readPlugin,
  readVersions,
  type StoredPlugin,
} from './store.ts';

/** What is submitted for review. Its files are stored, durably, before it is: rows come last. */
export type Submission = {
  caller: Caller;
  /** The plugin it is for; null for a new one. */
  pluginKey: string | null;
  /**
   * The listing submitted, made from the one that was submitted last (null for a new plugin). It is asked within the
   * transaction, so it only computes; what it throws refuses the submission.
   */
  listing(last: StoredListing | null): StoredListing;
  /** The version it brings; null for a change of the listing alone. */
  version: NewVersion | null;
  /** With a change of the listing alone: what changes of the version under review. */
  versionText?: { kind?: 'new' | 'fixed' | undefined; note?: Texts | undefined };
  /** `manifest.id` of the package, kept with a new plugin. */
  externalId?: string | null;
  /** What was stored for it: rows are written, and bytes counted, together with it. */
  pictures: readonly KeptPicture[];
  files: readonly KeptFile[];
  /** Warnings and notices of all checks, for publisher and reviewer. */
  findings: readonly Finding[];
  /** The submission that the change was made on; when another one is the newest by now, that is a conflict. */
  basedOn?: number | undefined;
};

/** What has passed all checks, and the files that are to be stored before it is submitted. */
export type CheckedSubmission = {
  submission: Submission;
  pictures: PreparedPicture[];
  files: PreparedFile[];
};

/** A plugin as it is before a change of it. */
export type PluginSnapshot = {
  pluginKey: string;
  plugin: StoredPlugin;
  last: LastSubmission;
  /** The version that was submitted last. */
  target: KnownVersion;
  versions: KnownVersion[];
};

/**
 * What a change of a plugin is checked against.
 * @param options.lock within a transaction: nothing of it changes until that ends
 * @throws PLUGIN_NOT_FOUND, FORBIDDEN
 */
export async function readSnapshot(
  db: Db,
  pluginKey: string,
  caller: Caller,
  { lock } = { lock: false },
): Promise<PluginSnapshot> {
  holdToTokenScope(caller, pluginKey);
  const { publisher_id: publisherId } = await findEditablePlugin(db, pluginKey, caller);
  if (lock) await lockPeople(db, caller, publisherId);
  const plugin = await readPlugin(db, pluginKey, { lock });
  const last = plugin && (await readLastSubmission(db, plugin.id));
  const versions = plugin ? await readVersions(db, plugin.id) : [];
  const target = versions.find(({ id }) => id === last?.plugin_version_id);
  if (!plugin || !last || !target) throw appError('PLUGIN_NOT_FOUND');
  return { pluginKey, plugin, last, target, versions };
}

/** What one part of a form was found to be. */
type CheckedPart = {
  findings: readonly Finding[];
  /** The answer's code for a fault whose own code is no answer's. */
  refusedAs: ErrorCode;
};

/** Faults of a package that decide the answer; all others are PACKAGE_INVALID. */
const PACKAGE_CODES: Readonly<Record<string, ErrorCode>> = {
  NOT_JSON: 'CODE_FORMAT',
  PACKAGE_TOO_LARGE: 'PACKAGE_TOO_LARGE',
};

function codeOf({ code }: Finding, refusedAs: ErrorCode): ErrorCode {
  if (refusedAs === 'PACKAGE_INVALID') return PACKAGE_CODES[code] ?? refusedAs;
  return isErrorCode(code) ? code : refusedAs;
}

/**
 * Refuses what any part is at fault for, with all faults of all parts; the first decides the code.
 * @throws AppError
 */
export function refuse(parts: readonly CheckedPart[]): void {
  const faults = parts.flatMap(({ findings, refusedAs }) =>
    findings.filter(({ severity }) => severity === 'error').map((fault) => ({ fault, refusedAs })),
  );
  const [first, ...others] = faults;
  if (!first) return;
  const { fault, refusedAs } = first;
  throw appError(codeOf(fault, refusedAs), {
    details: [fault, ...others.map((other) => other.fault)],
    ...(fault.params && { params: fault.params }),
  });
}
