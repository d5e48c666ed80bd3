import type { Db } from '../schema.ts';
import {
  lockPlugins,
  readSearchable,
  readSearchableSubmissions,
  takePending,
  writeSearchRows,
  writeSubmissionWords,
} from './index-store.ts';
import { documentOf } from './lexemes.ts';

const AT_ONCE = 200;
/** Rounds of one call: what an upgrade left to be indexed must not keep other work waiting for minutes. */
const ROUNDS = 20;

/** Makes findable what has been submitted, and what a publisher's new name concerns, since the last time. */
export async function indexPending(db: Db): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    if ((await indexSome(db)) < AT_ONCE) return;
  }
}

async function indexSome(db: Db): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const pending = await takePending(trx, AT_ONCE);
    const pluginIds = idsOf(pending.map((row) => row.plugin_id));
    const submissionIds = idsOf(pending.map((row) => row.submission_id));
    if (pluginIds.length > 0) {
      await lockPlugins(trx, pluginIds);
      await indexPlugins(trx, pluginIds);
    }
    if (submissionIds.length > 0) await indexSubmissions(trx, submissionIds);
    return pending.length;
  });
}

function idsOf(ids: readonly (number | null)[]): number[] {
  return [...new Set(ids.filter((id) => id !== null))];
}

/**
 * Makes plugins findable by what their rows now say. To be called in the transaction that changed their texts,
 * tags or publisher.
 */
export async function indexPlugins(db: Db, pluginIds: readonly number[]): Promise<void> {
  const found = await readSearchable(db, pluginIds);
  await writeSearchRows(
    db,
    found.map(({ plugin_id, ...searchable }) => ({ plugin_id, ...documentOf(searchable) })),
  );
}

/** Makes submissions findable by what was submitted. */
export async function indexSubmissions(db: Db, submissionIds: readonly number[]): Promise<void> {
  const found = await readSearchableSubmissions(db, submissionIds);
  await writeSubmissionWords(
    db,
    found.map(({ submission_id, ...searchable }) => ({ submission_id, words: documentOf(searchable).full })),
  );
}
