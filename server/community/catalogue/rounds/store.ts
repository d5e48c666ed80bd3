import { sql } from 'kysely';
import type { Filling } from '../../../../shared/entities/plugin.ts';
import type { Db } from '../../schema.ts';
import { fillingColumn } from '../filling/store.ts';

/** Tables of one row each, which say where a round is. */
export type RoundTable = 'insight_round' | 'similar_round' | 'trend_round';

/** Where a round is, 0 before the first plugin, and what is being added to the catalogue. */
type Place = { after_id: number; started_at: Date; filling: Filling | null };

/** Locks the round for this transaction; undefined while another instance counts. */
export async function lockRound(trx: Db, table: RoundTable): Promise<Place | undefined> {
  const { rows } = await sql<Place>`
    select after_id, started_at, ${fillingColumn} as filling from ${sql.table(table)} for update skip locked`.execute(
    trx,
  );
  return rows[0];
}

/** Keeps where the round is: at the beginning of one that began at `startedAt`, or after a plugin. */
export async function saveRound(
  trx: Db,
  table: RoundTable,
  { after, startedAt }: { after: number; startedAt: Date },
): Promise<void> {
  await sql`update ${sql.table(table)} set after_id = ${after}, started_at = ${startedAt}`.execute(trx);
}

/** The next plugins by id. */
export async function readNextPlugins(db: Db, after: number, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from plugin where id > ${after} order by id limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}
