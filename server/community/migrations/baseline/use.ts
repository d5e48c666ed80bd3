import { sql } from 'kysely';

/** Likes, installs, trials and views of plugins, and their counters. */
export const use = sql`
  create table plugin_like (
    user_id bigint not null,
    plugin_id bigint not null references plugin on delete cascade,
    created_at timestamptz(3) not null default now(),
    primary key (user_id, plugin_id)
  );
  -- Whether a user likes a plugin. By plugin alone, the planner would read all likes of a popular one.
  create index plugin_like_of_plugin on plugin_like (plugin_id, user_id);
  -- The likes of a user, latest first.
  create index plugin_like_latest on plugin_like (user_id, created_at desc, plugin_id desc);

  create table plugin_install (
    user_id bigint not null,
    plugin_id bigint not null references plugin on delete cascade,
    is_silent boolean not null default false,
    accepted_version_id bigint,
    installed_at timestamptz(3) not null default now(),
    uninstalled_at timestamptz(3),
    primary key (user_id, plugin_id)
  );
  comment on table plugin_install is
    'Installs. An uninstalled row stays: a default install comes to a user once and never returns against their will.';
  comment on column plugin_install.is_silent is 'Installed by default, not by the user.';
  comment on column plugin_install.accepted_version_id is
    'Version whose permissions the user has accepted; null means the one published at the time.';
  -- Whether a user has installed a plugin, as with likes.
  create index plugin_install_of_plugin on plugin_install (plugin_id, user_id);
  -- What a user has installed, latest first.
  create index plugin_install_of_person on plugin_install (user_id, installed_at desc, plugin_id desc)
    where uninstalled_at is null;

  create table plugin_trial (
    user_id bigint not null,
    plugin_id bigint not null references plugin on delete cascade,
    created_at timestamptz(3) not null default now(),
    primary key (user_id, plugin_id)
  );
  comment on table plugin_trial is 'Unpublished plugins that their publishers try; no installs.';
  -- The first approval ends the trials of a plugin.
  create index plugin_trial_of_plugin on plugin_trial (plugin_id);

  create table plugin_view (
    plugin_id bigint not null references plugin on delete cascade,
    day date not null,
    view_count bigint not null,
    primary key (plugin_id, day)
  );
  comment on table plugin_view is 'Views by day, written in batches.';
  comment on column plugin_view.day is 'In UTC.';

  create table plugin_counter (
    plugin_id bigint primary key references plugin on delete cascade,
    praise_count bigint not null default 0 check (praise_count >= 0),
    install_count bigint not null default 0 check (install_count >= 0),
    view_count bigint not null default 0 check (view_count >= 0),
    -- The one formula of popularity: a like is worth 30, an install 20, and views as their logarithm (e-fold 10), so that
    -- what users chose outweighs what they merely looked at.
    popularity bigint not null generated always as (
      30 * praise_count + 20 * install_count + round(10 * ln(1 + view_count::double precision))::bigint
    ) stored
  ) with (fillfactor = 60);
  comment on table plugin_counter is
    'Counters of a plugin. Narrow, and only the key is indexed: counting is a heap-only update.';
  comment on column plugin_counter.praise_count is 'Likes.';

  create table popularity_change (plugin_id bigint not null);
  comment on table popularity_change is
    'Plugins whose popularity or views have changed since lists were last ordered. Append-only, hence without a key.';

  create function note_popularity_change() returns trigger language plpgsql set search_path from current as $$
  begin
    insert into popularity_change values (new.plugin_id);
    return null;
  end $$;
  -- Views move a plugin in its management even where popularity, which knows only their logarithm, stays.
  create trigger note_popularity_change after update on plugin_counter
    for each row when (old.popularity <> new.popularity or old.view_count <> new.view_count)
    execute function note_popularity_change();
`;
