import { type Kysely, sql } from 'kysely';

/**
 * What lists are filtered by, beside the words of search. The program writes it for the plugins there are, in the
 * background and from where it stopped: they wait in `search_pending`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table plugin_search add column properties text[] not null default '{}';
    comment on column plugin_search.properties is
      'Lexemes of tags and of what lists are filtered by, which the words have too: here they are counted.';

    -- A property may follow from the published version or the time of the last update.
    create function index_changed_plugins() returns trigger language plpgsql set search_path from current as $$
    begin
      insert into search_pending (plugin_id)
        select became.id from became join was using (id)
          where became.current_version_id is distinct from was.current_version_id
             or became.updated_at <> was.updated_at;
      return null;
    end $$;
    create trigger index_changed_plugins after update on plugin
      referencing old table as was new table as became
      for each statement execute function index_changed_plugins();

    insert into search_pending (plugin_id) select plugin_id from plugin_search order by plugin_id`.execute(
    db,
  );
}
