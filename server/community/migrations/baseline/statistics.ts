import { sql } from 'kysely';

/** Statistics by day. Triggers append changes without waiting for locks; the program aggregates them. */
export const statistics = sql`
  create table day_figure (
    plugin_id bigint not null,
    day date not null,
    figure text not null,
    total bigint not null,
    primary key (plugin_id, day, figure)
  );
  comment on table day_figure is 'Figures of a day, such as installs.';
  comment on column day_figure.plugin_id is '0 means all plugins.';
  comment on column day_figure.day is 'In UTC.';
  create table figure_change (plugin_id bigint not null, day date not null, figure text not null, delta bigint not null);
  comment on table figure_change is 'Changes that are not aggregated yet. Append-only, hence without a key.';

  create function day_of(at timestamptz) returns date language sql immutable
    return (at at time zone 'UTC')::date;

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

  -- An install that is undone on its day does not count; later, both count on their days.
  create function count_install() returns trigger language plpgsql set search_path from current as $$
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
`;
