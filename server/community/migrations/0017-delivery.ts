import { type Kysely, sql } from 'kysely';

/** Where a version of a plugin works, and which version an install stays with. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Nothing is read from manifests that are there already: their "engines" were never checked, and their approvals say
    -- that they work everywhere.
    alter table plugin_version add column host_range text;
    comment on column plugin_version.host_range is
      'Versions of design tools that it works in, such as "pixso >=4.2; whiteboard *"; null for all.';

    alter table plugin_install add column hold text check (hold in ('pinned', 'paused')),
      add column held_version_id bigint,
      add check ((hold is null) = (held_version_id is null));
    comment on column plugin_install.hold is
      'Pinned: this version and no other. Paused: this version until updates go on, but for security releases.';
    comment on column plugin_install.held_version_id is 'The version that the user keeps.'`.execute(db);
}
