import { AUDIT_PASSED } from '../../../shared/constants.ts';
import type { Texts } from '../../../shared/languages.ts';
import { appError } from '../../http/errors.ts';
import type { Caller } from '../auth/caller.ts';
import { holdToTokenScope } from '../auth/token-scope.ts';
import { findEditablePlugin } from '../own/access.ts';
import type { Db, StoredListing } from '../schema.ts';
import { type KnownVersion, readLastSubmission, readVersions } from './store.ts';

/** A plugin as it stands before a change of it; the transaction that hands in looks again. */
export type Standing = {
  pluginKey: string;
  publisherId: number;
  listing: StoredListing;
  /** Number of the version that was handed in last. */
  version: string | undefined;
  versions: KnownVersion[];
  /** Its note, while that version has not passed: each change hands it in again. */
  noteUnderReview: Texts | undefined;
};

/**
 * What a change of a plugin is checked against.
 * @throws PLUGIN_NOT_FOUND, FORBIDDEN
 */
export async function readStanding(db: Db, pluginKey: string, caller: Caller): Promise<Standing> {
  holdToTokenScope(caller, pluginKey);
  const { id, publisher_id: publisherId } = await findEditablePlugin(db, pluginKey, caller);
  const [last, versions] = await Promise.all([readLastSubmission(db, id), readVersions(db, id)]);
  if (!last) throw appError('PLUGIN_NOT_FOUND');
  const newest = versions.find((known) => known.id === last.plugin_version_id);
  const noteUnderReview = newest?.audit_status === AUDIT_PASSED ? undefined : newest?.note;
  return {
    pluginKey,
    publisherId,
    listing: last.listing,
    version: newest?.version,
    versions,
    noteUnderReview,
  };
}
