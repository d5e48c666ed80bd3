import { type Kysely, sql } from 'kysely';

/** An index of a user's likes, latest first. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index plugin_like_latest on plugin_like (user_id, created_at desc, plugin_id desc)`.execute(
    db,
  );
}
