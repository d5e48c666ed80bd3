import { numberChanges } from '../../../../server/community/catalogue/changes/changes.ts';
import { hasNotes } from '../../../../server/community/catalogue/changes/store.ts';
import type { Db } from '../../../../server/community/schema.ts';

/** Waits until every committed change has its place, also those that the service itself puts in order at the moment. */
export async function settleChanges(db: Db): Promise<void> {
  while (await hasNotes(db)) await numberChanges(db);
}
