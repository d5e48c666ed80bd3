import { type Kysely, sql } from 'kysely';

/** A decision leaves the queue, or is taken back, on the day that it names, like the submission came on its own. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function count_submission() returns trigger language plpgsql set search_path from current as $$
    declare
      at date := day_of(case when tg_op = 'INSERT' then new.created_at else coalesce(new.decided_at, now()) end);
    begin
      if tg_op = 'UPDATE' then
        if not old.is_superseded then
          insert into tally_change values ('submission ' || old.audit_status, -1);
        end if;
        if old.audit_status = 1 and not old.is_superseded then
          insert into figure_change values (old.plugin_id, at, 'waiting', -1);
        end if;
        if old.audit_status = 2 and old.brings_version and day_of(old.decided_at) = at then
          insert into figure_change values (old.plugin_id, at, 'publications', -1);
        end if;
      end if;
      if not new.is_superseded then
        insert into tally_change values ('submission ' || new.audit_status, 1);
      end if;
      if new.audit_status = 1 and not new.is_superseded then
        insert into figure_change values (new.plugin_id, at, 'waiting', 1);
      end if;
      if new.audit_status = 2 and new.brings_version then
        insert into figure_change values (new.plugin_id, day_of(coalesce(new.decided_at, new.created_at)), 'publications', 1);
      end if;
      return null;
    end $$`.execute(db);
}
