import { sql } from 'kysely';
import type { Db } from '../../schema.ts';

/** When somebody handed in, milliseconds since 1970, newest first. */
export async function readSubmissionTimes(
  db: Db,
  { userId, since, limit }: { userId: number; since: Date; limit: number },
): Promise<number[]> {
  const { rows } = await sql<{ created_at: Date }>`
    select created_at from submission where created_by = ${userId} and created_at > ${since}
      order by created_at desc limit ${limit}`.execute(db);
  return rows.map(({ created_at }) => created_at.getTime());
}

/** Bytes ever stored for the plugins of a publisher, deleted ones too: who has installed one keeps its package. */
export async function readStoredBytes(db: Db, publisherId: number): Promise<number> {
  const { rows } = await sql<{ bytes: string }>`
    select coalesce(sum(stored_bytes), 0) as bytes from plugin where publisher_id = ${publisherId}`.execute(
    db,
  );
  return Number(rows[0]?.bytes ?? 0);
}
