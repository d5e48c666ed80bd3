import { type Kysely, sql } from 'kysely';

/** Plugins that those who installed a plugin have installed too. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table similar_plugin (
      plugin_id bigint not null references plugin on delete cascade,
      similar_id bigint not null references plugin on delete cascade,
      score real not null,
      primary key (plugin_id, similar_id)
    );
    comment on table similar_plugin is
      'What many of those who have installed a plugin have installed too. Counts only; nobody can be told from them.';
    comment on column similar_plugin.score is
      'Users with both, divided by the root of the installs of the other, so that what everybody has is not similar to all.';
    -- What goes with a deleted plugin.
    create index similar_plugin_of_other on similar_plugin (similar_id);

    create table similar_round (
      only_row boolean primary key default true check (only_row),
      after_id bigint not null default 0,
      started_at timestamptz(3) not null default 'epoch'
    );
    comment on table similar_round is 'How far the counting of similar plugins has come; it goes through all of them once a day.';
    insert into similar_round default values`.execute(db);
}
