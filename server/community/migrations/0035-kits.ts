import { type Kysely, sql } from 'kysely';

/** Onboarding kits: default installs for a group; and what was decided on reports of collections. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table kit (
      id bigint generated always as identity primary key,
      name text not null,
      e_id bigint not null default 0 check (e_id >= 0),
      department text not null default '' check (department = '' or e_id > 0),
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null
    );
    comment on table kit is 'Plugins that everybody of a group gets as default installs. There are few.';
    comment on column kit.e_id is 'The enterprise that it is for; 0 for everybody who signs in.';
    comment on column kit.department is 'The department of the enterprise that it is for; empty for all of it.';

    create table kit_plugin (
      kit_id bigint not null references kit on delete cascade,
      plugin_id bigint not null references plugin on delete cascade,
      position integer not null,
      primary key (kit_id, plugin_id)
    );
    comment on table kit_plugin is 'The plugins of a kit. There are few.';
    -- What goes with a deleted plugin.
    create index kit_plugin_by_plugin on kit_plugin (plugin_id);

    alter table collection_report add column is_upheld boolean;
    comment on column collection_report.is_upheld is 'Whether the collection was hidden for it; null before a decision.'`.execute(
    db,
  );
}
