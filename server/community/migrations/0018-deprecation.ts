import { type Kysely, sql } from 'kysely';

/** Plugins that are no longer maintained, and what their users may move to; downloads, counted once a person and version. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table plugin add column deprecated_at timestamptz(3);
    comment on column plugin.deprecated_at is 'Set while it is deprecated; it goes on working.';
    create table deprecation (
      plugin_id bigint primary key references plugin on delete cascade,
      successor_id bigint references plugin on delete set null,
      texts jsonb not null,
      ended_at timestamptz(3),
      told_after bigint not null default 0,
      told_at timestamptz(3),
      check (successor_id <> plugin_id)
    );
    comment on table deprecation is 'What is said of deprecated plugins, with those that are not deprecated any more.';
    comment on column deprecation.successor_id is 'What its users may move to.';
    comment on column deprecation.texts is 'What readers are told, by language; may be empty.';
    comment on column deprecation.ended_at is 'When it was taken back.';
    comment on column deprecation.told_after is
      'Greatest id of a user among those who were told. It stays, so that nobody is told twice.';
    comment on column deprecation.told_at is 'When the last of those who had installed it was told.';
    -- What names a plugin as its successor, when that changes.
    create index deprecation_by_successor on deprecation (successor_id) where successor_id is not null;
    -- Deprecations of which somebody is still to be told.
    create index deprecation_to_tell on deprecation (plugin_id) where told_at is null and ended_at is null;

    create table plugin_download (
      download_hash bytea primary key check (octet_length(download_hash) = 16),
      plugin_version_id bigint not null references plugin_version on delete cascade
    );
    comment on table plugin_download is 'Downloads that were counted, each person and version once.';
    comment on column plugin_download.download_hash is 'Of both, with a key: it tells nobody who it was.';
    -- What goes with a deleted version.
    create index plugin_download_by_version on plugin_download (plugin_version_id);

    -- Who has a deprecated plugin is offered the successor, its version and rights.
    create function note_changed(changed bigint) returns void language sql set search_path from current as $$
      insert into catalogue_note (plugin_id)
        select changed union all select plugin_id from deprecation where successor_id = changed and ended_at is null
    $$;
    create or replace function note_plugin() returns trigger language plpgsql set search_path from current as $$
    begin
      perform note_changed(new.id);
      return null;
    end $$;
    create or replace function note_plugin_part() returns trigger language plpgsql set search_path from current as $$
    begin
      perform note_changed(case when tg_op = 'DELETE' then old.plugin_id else new.plugin_id end);
      return null;
    end $$;
    create trigger note_deprecation after update on deprecation for each row
      when ((old.successor_id, old.texts, old.ended_at) is distinct from (new.successor_id, new.texts, new.ended_at))
      execute function note_plugin_part();
    create trigger note_new_deprecation after insert on deprecation for each row execute function note_plugin_part()`.execute(
    db,
  );
}
