import { type Kysely, sql } from 'kysely';

/** The search row itself has the visibility of a plugin, so that matches are counted without a join. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table plugin_search add column is_listed boolean not null default true;

    create function mark_search_row() returns trigger language plpgsql set search_path from current as $$
    begin
      new.is_listed := exists (select from plugin where id = new.plugin_id and is_visible);
      return new;
    end $$;
    create trigger mark_search_row before insert or update on plugin_search
      for each row execute function mark_search_row();

    create function mark_rows_of_plugins() returns trigger language plpgsql set search_path from current as $$
    begin
      update plugin_search s set is_listed = became.is_visible
        from became join was using (id)
        where s.plugin_id = became.id and became.is_visible <> was.is_visible and s.is_listed <> became.is_visible;
      return null;
    end $$;
    create trigger mark_rows_of_plugins after update on plugin
      referencing old table as was new table as became
      for each statement execute function mark_rows_of_plugins();

    -- Rows of plugins that no search may find are written anew afterwards: here everybody would have to wait for it.
    insert into search_pending (plugin_id) select id from plugin where not is_visible;
  `.execute(db);
}
