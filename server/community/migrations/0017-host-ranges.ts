import { type Kysely, sql } from 'kysely';

/** Design tools, and their versions, that a version of a plugin works in. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Nothing is read from manifests that are there already: their "engines" were never checked, and their approvals say
    -- that they work everywhere.
    alter table plugin_version add column host_range text;
    comment on column plugin_version.host_range is
      'Versions of design tools that it works in, such as "pixso >=4.2; whiteboard *"; null for all.'`.execute(
    db,
  );
}
