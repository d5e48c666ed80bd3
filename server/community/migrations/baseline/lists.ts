import { sql } from 'kysely';

/**
 * Lists of visible plugins in both orders. Triggers maintain them within the transaction of a change, so that a page of any
 * list is one short index range.
 */
export const lists = sql`
  create table plugin_listing (
    tag_id integer not null,
    plugin_id bigint not null references plugin on delete cascade,
    updated_at timestamptz(3) not null,
    popularity bigint not null,
    primary key (plugin_id, tag_id)
  );
  comment on table plugin_listing is 'A row for each visible plugin and tag, and one for the list of all.';
  comment on column plugin_listing.tag_id is '0 means all plugins.';
  comment on column plugin_listing.popularity is
    'As of the last re-ordering: likes do not move plugins while somebody pages.';
  -- A page of a list, latest first.
  create index plugin_listing_latest on plugin_listing (tag_id, updated_at desc, plugin_id desc);
  -- A page of a list, most popular first.
  create index plugin_listing_popular on plugin_listing (tag_id, popularity desc, plugin_id desc);

  create table listing_total (
    tag_id integer primary key,
    total bigint not null check (total >= 0)
  );
  comment on table listing_total is 'Length of each list; a row for each tag, also for an empty one.';
  insert into listing_total values (0, 0);

  create function count_listed() returns trigger language plpgsql set search_path from current as $$
  begin
    if tg_op = 'INSERT' then
      insert into listing_total as t (tag_id, total)
        select tag_id, count(*) from listed group by tag_id order by tag_id
        on conflict (tag_id) do update set total = t.total + excluded.total;
    else
      with fewer as materialized (
        select t.tag_id, l.count from listing_total t
          join (select tag_id, count(*) from unlisted group by tag_id) l using (tag_id)
          order by t.tag_id for update of t
      )
      update listing_total t set total = t.total - fewer.count from fewer where fewer.tag_id = t.tag_id;
    end if;
    return null;
  end $$;
  create trigger count_listed after insert on plugin_listing
    referencing new table as listed for each statement execute function count_listed();
  create trigger count_unlisted after delete on plugin_listing
    referencing old table as unlisted for each statement execute function count_listed();

  create function total_of_tag() returns trigger language plpgsql set search_path from current as $$
  begin
    if tg_op = 'INSERT' then
      insert into listing_total values (new.id, 0) on conflict do nothing;
    else
      delete from listing_total where tag_id = old.id;
    end if;
    return null;
  end $$;
  create trigger total_of_tag after insert or delete on tag for each row execute function total_of_tag();

  create function relist_plugins(ids bigint[]) returns void language plpgsql set search_path from current as $$
  begin
    -- A concurrent change of the same plugin goes first or waits; the statements below see its result.
    perform from plugin where id = any (ids) order by id for no key update;
    -- Rows of lists are always locked in this order, so that no transactions wait in a ring.
    perform from plugin_listing where plugin_id = any (ids) order by plugin_id, tag_id for update;
    delete from plugin_listing l where l.plugin_id = any (ids) and not exists (
      select from plugin p where p.id = l.plugin_id and p.is_visible and (
        l.tag_id = 0 or exists (select from plugin_tag t where t.plugin_id = p.id and t.tag_id = l.tag_id)
      )
    );
    insert into plugin_listing as l (tag_id, plugin_id, updated_at, popularity)
      select wanted.tag_id, p.id, p.updated_at, c.popularity
        from plugin p
        join plugin_counter c on c.plugin_id = p.id
        cross join lateral (
          select 0 as tag_id union all select t.tag_id from plugin_tag t where t.plugin_id = p.id
        ) wanted
        where p.id = any (ids) and p.is_visible
      on conflict (plugin_id, tag_id) do update set updated_at = excluded.updated_at
        where l.updated_at <> excluded.updated_at;
    -- A like may have come between: the next re-ordering looks again.
    insert into popularity_change select unnest(ids);
  end $$;

  create function relist_new_plugins() returns trigger language plpgsql set search_path from current as $$
  begin
    insert into plugin_counter (plugin_id) select id from added;
    perform relist_plugins(array(select id from added where is_visible));
    return null;
  end $$;
  create trigger relist_new_plugins after insert on plugin
    referencing new table as added for each statement execute function relist_new_plugins();

  create function relist_changed_plugins() returns trigger language plpgsql set search_path from current as $$
  declare ids bigint[] := array(
    select id from was join became using (id)
      where was.is_visible <> became.is_visible
         or (became.is_visible and was.updated_at <> became.updated_at)
  );
  begin
    if cardinality(ids) > 0 then perform relist_plugins(ids); end if;
    return null;
  end $$;
  create trigger relist_changed_plugins after update on plugin
    referencing old table as was new table as became
    for each statement execute function relist_changed_plugins();

  create function relist_tagged_plugins() returns trigger language plpgsql set search_path from current as $$
  declare ids bigint[] := array(select distinct plugin_id from tagged);
  begin
    if cardinality(ids) > 0 then perform relist_plugins(ids); end if;
    return null;
  end $$;
  create trigger relist_tagged after insert on plugin_tag
    referencing new table as tagged for each statement execute function relist_tagged_plugins();
  create trigger relist_untagged after delete on plugin_tag
    referencing old table as tagged for each statement execute function relist_tagged_plugins();
`;
