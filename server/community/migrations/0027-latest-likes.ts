import { type Kysely, sql } from 'kysely';

/** What somebody likes, the latest like first, is one range of an index. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index plugin_like_latest on plugin_like (user_id, created_at desc, plugin_id desc)`.execute(
    db,
  );
}
