import type { Finding } from '../../../shared/entities/finding.ts';
import type { Texts } from '../../../shared/languages.ts';
import type { Caller } from '../auth/caller.ts';
import type { KeptPicture } from '../media/prepare-picture.ts';
import type { KeptFile } from '../media/stored-files.ts';
import type { Db, StoredListing } from '../schema.ts';
import type { PublishQuotas } from './rules/limits.ts';
import type { NewVersion } from './store.ts';

/** What is handed in for review. Its files are stored, durably, before it is: rows come last. */
export type Submission = {
  caller: Caller;
  /** The plugin it is for; null for a new one. */
  pluginKey: string | null;
  /**
   * The listing handed in, made from the one that was handed in last (null for a new plugin). It is asked within the
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

/** Only `store` keeps what was written. */
export type Purpose = 'store' | 'dry-run';

/** A submission within its transaction. */
export type HandingIn = {
  trx: Db;
  submission: Submission;
  quotas: PublishQuotas;
  /** Milliseconds since 1970. */
  at: number;
  purpose: Purpose;
};
