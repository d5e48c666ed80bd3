import { type Kysely, sql } from 'kysely';

/** Active installs, where views and installs came from, keywords that led to a plugin, versions in use, retention. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table active_person (
      user_id bigint primary key,
      active_on date not null
    );
    comment on table active_person is 'The last day on which an account used the site or a tool, for 30 days.';
    comment on column active_person.active_on is 'In UTC.';
    -- Days that are over are deleted by age.
    create index active_person_by_day on active_person (active_on);

    alter table plugin_counter add column active_count bigint check (active_count >= 0);
    comment on column plugin_counter.active_count is 'Active installs; null until they were counted.';

    alter table figure_change add column part text;
    comment on column figure_change.part is 'Null for the figure as a whole; else where it came from, or a version.';
    create table part_figure (
      plugin_id bigint not null references plugin on delete cascade,
      figure text not null,
      day date not null,
      part text not null,
      total bigint not null,
      primary key (plugin_id, figure, day, part)
    );
    comment on table part_figure is
      'Figures of a day by part: views and installs by source, uninstalls and active installs by version.';

    create table install_cohort (
      plugin_id bigint not null references plugin on delete cascade,
      week date not null,
      install_count integer not null check (install_count > 0),
      kept_1 integer,
      kept_2 integer,
      kept_4 integer,
      kept_8 integer,
      primary key (plugin_id, week)
    );
    comment on table install_cohort is
      'Of the installs of a week, how many were still there after 1, 2, 4 and 8 weeks. Small cohorts are not stored.';
    comment on column install_cohort.week is 'Its Monday, in UTC.';
    comment on column install_cohort.kept_1 is 'Null until all of the cohort have had the plugin that long, or lost it.';
    -- The cohorts of a plugin.
    create index plugin_install_by_time on plugin_install (plugin_id, installed_at) where not is_silent;

    create table found_keyword (
      plugin_id bigint not null references plugin on delete cascade,
      month date not null,
      keyword text not null,
      people_count integer not null check (people_count > 0),
      primary key (plugin_id, month, keyword)
    );
    comment on table found_keyword is
      'How many people opened a plugin from a search for a keyword in a month. After it, keywords of few people are deleted.';
    -- Rare keywords are deleted when their month is over.
    create index found_keyword_rare on found_keyword (month) where people_count < 5;
    create table keyword_use (
      use_hash bytea primary key check (octet_length(use_hash) = 16),
      month date not null
    );
    comment on table keyword_use is 'Who was counted for a keyword in a month, so that nobody counts twice.';
    comment on column keyword_use.use_hash is
      'Plugin, month, keyword and person, hashed with a key that is not in the database.';
    -- They are deleted when their month is over.
    create index keyword_use_by_month on keyword_use (month);

    create table insight_round (
      only_row boolean primary key default true check (only_row),
      after_id bigint not null default 0,
      started_at timestamptz(3) not null default 'epoch'
    );
    comment on table insight_round is
      'How far the counting of active installs, versions and cohorts has come; it goes through all plugins once a day.';
    insert into insight_round default values`.execute(db);
}
