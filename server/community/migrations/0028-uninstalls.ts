import { type Kysely, sql } from 'kysely';

/** Uninstalls per day. As before, an uninstall on the day of the install is not counted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function count_install() returns trigger language plpgsql set search_path from current as $$
    begin
      if new.uninstalled_at is null then
        insert into figure_change values (new.plugin_id, day_of(new.installed_at), 'installs', 1);
      elsif tg_op = 'UPDATE' and day_of(new.uninstalled_at) = day_of(old.installed_at) then
        insert into figure_change values (new.plugin_id, day_of(old.installed_at), 'installs', -1);
      elsif tg_op = 'UPDATE' then
        insert into figure_change values (new.plugin_id, day_of(new.uninstalled_at), 'uninstalls', 1);
      end if;
      return null;
    end $$;
    insert into figure_change
      select plugin_id, day_of(uninstalled_at), 'uninstalls', count(*) from plugin_install
        where day_of(uninstalled_at) <> day_of(installed_at) group by 1, 2;
  `.execute(db);
}
