import { type Kysely, sql } from 'kysely';

/** What design tools ask: packages by their content, what changed in the catalogue, and for whom. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- What users download is the package without the keys for developers. Files that are there already get these columns
    -- from the running service, a few at a time: reading them here would keep all tables locked.
    alter table stored_file add column release_key text check (release_key ~ '^[0-9a-f]{64}$'),
      add column release_bytes bigint check (release_bytes >= 0),
      add check ((release_key is null) = (release_bytes is null));
    comment on column stored_file.release_key is
      'Of a package: SHA-256 of what users download; null until it was computed.';
    comment on column stored_file.release_bytes is 'Size of what users download.';
    -- A package is asked for by its content. Several files may have the same release.
    create index stored_file_by_release on stored_file (release_key) where release_key is not null;
    -- The next packages without a digest.
    create index stored_file_without_release on stored_file (file_key)
      where extension = 'json' and release_key is null;

    create table catalogue_note (
      id bigint generated always as identity primary key,
      plugin_id bigint not null
    );
    comment on table catalogue_note is
      'Changed plugins that have no place in catalogue_change yet. Written with the change, in its transaction.';

    create table catalogue_change (
      plugin_id bigint primary key references plugin on delete cascade,
      position bigint not null unique,
      was_public boolean not null
    );
    comment on table catalogue_change is 'The last change of each plugin, in the order in which they are told.';
    comment on column catalogue_change.was_public is 'Whether a version of it was ever approved: others are not told.';
    -- The public changes after a position.
    create index catalogue_change_public on catalogue_change (position) where was_public;

    create table catalogue_revision (
      id boolean primary key default true check (id),
      position bigint not null
    );
    comment on table catalogue_revision is 'One row: the last position that was given. Only the numbering writes it.';

    insert into catalogue_change (plugin_id, position, was_public)
      select p.id, row_number() over (order by p.id), exists (
          select from plugin_version v where v.plugin_id = p.id and v.audit_status = 2)
        from plugin p;
    insert into catalogue_revision (position) select count(*) from catalogue_change;

    create function note_plugin() returns trigger language plpgsql set search_path from current as $$
    begin
      insert into catalogue_note (plugin_id) values (new.id);
      return null;
    end $$;
    create function note_plugin_part() returns trigger language plpgsql set search_path from current as $$
    begin
      insert into catalogue_note (plugin_id) values (case when tg_op = 'DELETE' then old.plugin_id else new.plugin_id end);
      return null;
    end $$;
    create function note_release() returns trigger language plpgsql set search_path from current as $$
    begin
      insert into catalogue_note (plugin_id) select plugin_id from plugin_version where package_key = new.file_key;
      return null;
    end $$;
    create trigger note_plugin after update on plugin for each row
      when ((old.is_visible, old.audit_status, old.current_version_id, old.deleted_at, old.withdrawn_at)
        is distinct from (new.is_visible, new.audit_status, new.current_version_id, new.deleted_at, new.withdrawn_at))
      execute function note_plugin();
    create trigger note_new_plugin after insert on plugin for each row execute function note_plugin();
    create trigger note_version after update on plugin_version for each row
      when ((old.audit_status, old.is_hidden, old.withdrawn_at, old.package_key, old.signature)
        is distinct from (new.audit_status, new.is_hidden, new.withdrawn_at, new.package_key, new.signature))
      execute function note_plugin_part();
    create trigger note_new_version after insert on plugin_version for each row execute function note_plugin_part();
    create trigger note_name after update on plugin_text for each row when (old.name <> new.name)
      execute function note_plugin_part();
    create trigger note_new_name after insert or delete on plugin_text for each row
      execute function note_plugin_part();
    create trigger note_release after update on stored_file for each row
      when (old.release_key is distinct from new.release_key) execute function note_release();

    create table installed_revision (
      user_id bigint primary key,
      revision uuid not null default gen_random_uuid()
    );
    comment on table installed_revision is
      'Changes whenever what a person has installed, tries or accepts does; none until the first change.';
    comment on column installed_revision.revision is
      'Random, so that one never comes back, not even after the restore of a backup.';
    create function note_installed() returns trigger language plpgsql set search_path from current as $$
    begin
      insert into installed_revision (user_id) values (case when tg_op = 'DELETE' then old.user_id else new.user_id end)
        on conflict (user_id) do update set revision = excluded.revision;
      return null;
    end $$;
    create trigger note_installed after insert or update or delete on plugin_install
      for each row execute function note_installed();
    create trigger note_tried after insert or delete on plugin_trial
      for each row execute function note_installed()`.execute(db);
}
