import { type Kysely, type QueryExecutorProvider, sql } from 'kysely';

/**
 * Aggregates: lengths of backstage lists, daily statistics, and the sort orders of plugin management. Triggers append
 * changes without waiting for locks; the program aggregates them every few seconds.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- A total is its row and all changes that are not yet added to it: exact at any time, and no row that all
    -- writers would queue for.
    create table tally (name text primary key, total bigint not null);
    create table tally_change (name text not null, delta bigint not null);

    -- Figures of a plugin's day (UTC) by their name; plugin 0 stands for all of them.
    create table day_figure (
      plugin_id bigint not null,
      day date not null,
      figure text not null,
      total bigint not null,
      primary key (plugin_id, day, figure)
    );
    create table figure_change (plugin_id bigint not null, day date not null, figure text not null, delta bigint not null);

    create function day_of(at timestamptz) returns date language sql immutable
      return (at at time zone 'UTC')::date;

    -- One row per plugin that is not deleted, in each order of its management. Counters as of the last few seconds.
    create table managed_plugin (
      plugin_id bigint primary key references plugin on delete cascade,
      audit_status smallint not null,
      updated_at timestamptz(3) not null,
      install_count bigint not null default 0,
      praise_count bigint not null default 0,
      view_count bigint not null default 0,
      -- The greater the earlier among the recommended; the least integer for all others.
      recommended_rank integer not null default -2147483648
    );
    create index managed_plugin_latest on managed_plugin (audit_status, updated_at desc, plugin_id desc);
    create index managed_plugin_installs on managed_plugin (audit_status, install_count desc, plugin_id desc);
    create index managed_plugin_likes on managed_plugin (audit_status, praise_count desc, plugin_id desc);
    create index managed_plugin_views on managed_plugin (audit_status, view_count desc, plugin_id desc);
    create index managed_plugin_recommended on managed_plugin (audit_status, recommended_rank desc, plugin_id desc);

    create function tally_managed() returns trigger language plpgsql set search_path from current as $$
    begin
      if tg_op <> 'INSERT' then
        insert into tally_change select 'plugin ' || audit_status, - count(*) from was group by audit_status;
        insert into tally_change select f.name, - f.total from (
            select sum(install_count) as installs, sum(praise_count) as likes, sum(view_count) as views from was
          ) s cross join lateral (values ('installs', installs), ('likes', likes), ('views', views)) f (name, total)
          where f.total <> 0;
      end if;
      if tg_op <> 'DELETE' then
        insert into tally_change select 'plugin ' || audit_status, count(*) from became group by audit_status;
        insert into tally_change select f.name, f.total from (
            select sum(install_count) as installs, sum(praise_count) as likes, sum(view_count) as views from became
          ) s cross join lateral (values ('installs', installs), ('likes', likes), ('views', views)) f (name, total)
          where f.total <> 0;
      end if;
      return null;
    end $$;
    create trigger tally_managed_new after insert on managed_plugin
      referencing new table as became for each statement execute function tally_managed();
    create trigger tally_managed_changed after update on managed_plugin
      referencing old table as was new table as became for each statement execute function tally_managed();
    create trigger tally_managed_gone after delete on managed_plugin
      referencing old table as was for each statement execute function tally_managed();

    create function manage_plugins() returns trigger language plpgsql set search_path from current as $$
    begin
      if tg_op = 'INSERT' then
        insert into managed_plugin (plugin_id, audit_status, updated_at)
          select id, audit_status, updated_at from became where deleted_at is null;
      else
        if exists (select from became where deleted_at is not null) then
          delete from managed_plugin m using became b where m.plugin_id = b.id and b.deleted_at is not null;
        end if;
        if exists (select from was join became using (id)
            where (was.audit_status, was.updated_at) <> (became.audit_status, became.updated_at)) then
          update managed_plugin m set audit_status = b.audit_status, updated_at = b.updated_at
            from became b where m.plugin_id = b.id
              and (m.audit_status, m.updated_at) <> (b.audit_status, b.updated_at);
        end if;
      end if;
      return null;
    end $$;
    create trigger manage_new_plugins after insert on plugin
      referencing new table as became for each statement execute function manage_plugins();
    create trigger manage_changed_plugins after update on plugin
      referencing old table as was new table as became for each statement execute function manage_plugins();

    create function rank_recommended() returns trigger language plpgsql set search_path from current as $$
    begin
      if tg_op = 'DELETE' then
        update managed_plugin set recommended_rank = -2147483648 where plugin_id = old.plugin_id;
      else
        update managed_plugin set recommended_rank = - new.position where plugin_id = new.plugin_id;
      end if;
      return null;
    end $$;
    create trigger rank_recommended after insert or update or delete on recommendation
      for each row execute function rank_recommended();

    -- Views move a plugin among the managed even where popularity, which knows their logarithm alone, stays.
    drop trigger note_popularity_change on plugin_counter;
    create trigger note_popularity_change after update on plugin_counter
      for each row when (old.popularity <> new.popularity or old.view_count <> new.view_count)
      execute function note_popularity_change();

    create function count_submission() returns trigger language plpgsql set search_path from current as $$
    begin
      if tg_op = 'UPDATE' then
        if not old.is_superseded then
          insert into tally_change values ('submission ' || old.audit_status, -1);
        end if;
        if old.audit_status = 1 and not old.is_superseded then
          insert into figure_change values (old.plugin_id, day_of(now()), 'waiting', -1);
        end if;
        if old.audit_status = 2 and old.brings_version and day_of(old.decided_at) = day_of(now()) then
          insert into figure_change values (old.plugin_id, day_of(now()), 'publications', -1);
        end if;
      end if;
      if not new.is_superseded then
        insert into tally_change values ('submission ' || new.audit_status, 1);
      end if;
      if new.audit_status = 1 and not new.is_superseded then
        insert into figure_change values (new.plugin_id,
          case when tg_op = 'INSERT' then day_of(new.created_at) else day_of(now()) end, 'waiting', 1);
      end if;
      if new.audit_status = 2 and new.brings_version then
        insert into figure_change values (new.plugin_id, day_of(coalesce(new.decided_at, new.created_at)), 'publications', 1);
      end if;
      return null;
    end $$;
    create trigger count_new_submission after insert on submission
      for each row execute function count_submission();
    create trigger count_changed_submission after update on submission for each row
      when (old.audit_status <> new.audit_status or old.is_superseded <> new.is_superseded)
      execute function count_submission();

    -- What was undone on the day it was done did not happen; what is undone later did.
    create function count_install() returns trigger language plpgsql set search_path from current as $$
    begin
      if new.uninstalled_at is null then
        insert into figure_change values (new.plugin_id, day_of(new.installed_at), 'installs', 1);
      elsif tg_op = 'UPDATE' and day_of(new.uninstalled_at) = day_of(old.installed_at) then
        insert into figure_change values (new.plugin_id, day_of(old.installed_at), 'installs', -1);
      end if;
      return null;
    end $$;
    create trigger count_new_install after insert on plugin_install for each row execute function count_install();
    create trigger count_changed_install after update on plugin_install for each row
      when ((old.uninstalled_at is null) <> (new.uninstalled_at is null)) execute function count_install();

    create function count_like() returns trigger language plpgsql set search_path from current as $$
    begin
      if tg_op = 'INSERT' then
        insert into figure_change values (new.plugin_id, day_of(new.created_at), 'likes', 1);
      elsif day_of(old.created_at) = day_of(now()) then
        insert into figure_change values (old.plugin_id, day_of(old.created_at), 'likes', -1);
      end if;
      return null;
    end $$;
    create trigger count_like after insert or delete on plugin_like for each row execute function count_like();

    create function count_view() returns trigger language plpgsql set search_path from current as $$
    begin
      insert into figure_change values (new.plugin_id, new.day, 'views',
        new.view_count - case when tg_op = 'UPDATE' then old.view_count else 0 end);
      return null;
    end $$;
    create trigger count_view after insert or update on plugin_view for each row execute function count_view();

    create function count_report() returns trigger language plpgsql set search_path from current as $$
    begin
      if tg_op <> 'INSERT' and old.state = 'open' then insert into tally_change values ('report open', -1); end if;
      if tg_op <> 'DELETE' and new.state = 'open' then insert into tally_change values ('report open', 1); end if;
      return null;
    end $$;
    create trigger count_report after insert or update or delete on report
      for each row execute function count_report();

    create function count_trail() returns trigger language plpgsql set search_path from current as $$
    begin
      insert into tally_change values ('trail', 1);
      return null;
    end $$;
    create trigger count_trail after insert on audit_trail for each row execute function count_trail();
  `.execute(db);
  await countWhatIsThere(db);
}

/** Counts rows from before the triggers. */
export async function countWhatIsThere(db: QueryExecutorProvider): Promise<void> {
  await sql`
    insert into managed_plugin (plugin_id, audit_status, updated_at, install_count, praise_count, view_count,
        recommended_rank)
      select p.id, p.audit_status, p.updated_at, c.install_count, c.praise_count, c.view_count,
          coalesce(- r.position, -2147483648)
        from plugin p join plugin_counter c on c.plugin_id = p.id left join recommendation r on r.plugin_id = p.id
        where p.deleted_at is null;
    insert into tally_change
      select 'submission ' || audit_status, count(*) from submission where not is_superseded group by audit_status
      union all select 'report open', count(*) from report where state = 'open'
      union all select 'trail', count(*) from audit_trail;
    insert into figure_change
      select plugin_id, day_of(created_at), 'waiting', 1 from submission where audit_status = 1 and not is_superseded
      union all select plugin_id, day_of(coalesce(decided_at, created_at)), 'publications', 1 from submission
        where audit_status = 2 and brings_version
      union all select plugin_id, day_of(installed_at), 'installs', count(*) from plugin_install
        where uninstalled_at is null or day_of(uninstalled_at) <> day_of(installed_at) group by 1, 2
      union all select plugin_id, day_of(created_at), 'likes', count(*) from plugin_like group by 1, 2
      union all select plugin_id, day, 'views', view_count from plugin_view;
  `.execute(db);
}
