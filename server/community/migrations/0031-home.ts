import { type Kysely, sql } from 'kysely';

/** What the home page and the pages of tags know: how much plugins are wanted now, and introductions of tags. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table trend_round (
      only_row boolean primary key default true check (only_row),
      after_id bigint not null default 0,
      started_at timestamptz(3) not null default 'epoch'
    );
    comment on table trend_round is
      'How far the counting of what is wanted now has come; it goes through all plugins once an hour.';
    insert into trend_round default values;

    create table plugin_trend (
      plugin_id bigint primary key references plugin on delete cascade,
      score real not null,
      is_new boolean not null
    );
    comment on table plugin_trend is
      'How much a plugin is wanted now, if anybody wants it or it is new. Counts only; nobody can be told from them.';
    comment on column plugin_trend.score is
      'Installs and likes of the last days, halved every three days, divided by the root of all installs.';
    comment on column plugin_trend.is_new is 'First published within 60 days.';
    -- What is wanted most.
    create index plugin_trend_by_score on plugin_trend (score desc, plugin_id desc);
    -- The same of what is new.
    create index plugin_trend_of_new on plugin_trend (score desc, plugin_id desc) where is_new;

    alter table tag add column intro jsonb not null default '{}' check (jsonb_typeof(intro) = 'object');
    comment on column tag.intro is 'What its page begins with, by language.'`.execute(db);
}
