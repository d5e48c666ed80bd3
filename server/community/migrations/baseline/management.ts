import { sql } from 'kysely';

/**
 * The sort orders of plugin management, and lengths of backstage lists. Triggers append changes without waiting for locks;
 * the program aggregates them every few seconds.
 */
export const management = sql`
  create table tally (name text primary key, total bigint not null);
  comment on table tally is
    'Named totals. With the changes of tally_change that are not aggregated yet they are exact at any time.';
  create table tally_change (name text not null, delta bigint not null);
  comment on table tally_change is 'Append-only, hence without a key: writers do not wait for one row.';

  create table managed_plugin (
    plugin_id bigint primary key references plugin on delete cascade,
    audit_status smallint not null,
    updated_at timestamptz(3) not null,
    install_count bigint not null default 0,
    praise_count bigint not null default 0,
    view_count bigint not null default 0,
    recommended_rank integer not null default -2147483648
  );
  comment on table managed_plugin is
    'A row for each plugin that is not deleted, with all that management sorts by. Counters are some seconds old.';
  comment on column managed_plugin.recommended_rank is
    'The greater, the earlier among the recommended; the least integer for all others.';
  -- One for each order of the list.
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
`;
