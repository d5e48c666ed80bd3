import { type Kysely, sql } from 'kysely';

/** Likes, installs and views of plugins, and their counters. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table plugin_like (
      user_id bigint not null,
      plugin_id bigint not null references plugin on delete cascade,
      created_at timestamptz(3) not null default now(),
      primary key (user_id, plugin_id)
    );
    create index plugin_like_by_plugin on plugin_like (plugin_id);

    -- An uninstalled row stays: a default install comes to a person once and never returns against his will.
    create table plugin_install (
      user_id bigint not null,
      plugin_id bigint not null references plugin on delete cascade,
      is_silent boolean not null default false,
      installed_at timestamptz(3) not null default now(),
      uninstalled_at timestamptz(3),
      primary key (user_id, plugin_id)
    );
    create index plugin_install_by_plugin on plugin_install (plugin_id);

    -- Views per day, written in batches.
    create table plugin_view (
      plugin_id bigint not null references plugin on delete cascade,
      day date not null,
      view_count bigint not null,
      primary key (plugin_id, day)
    );

    -- Narrow, and no column but the key is indexed: counting is a heap-only update.
    create table plugin_counter (
      plugin_id bigint primary key references plugin on delete cascade,
      praise_count bigint not null default 0 check (praise_count >= 0),
      install_count bigint not null default 0 check (install_count >= 0),
      view_count bigint not null default 0 check (view_count >= 0),
      -- The one formula of popularity: a like is worth 30, an install 20, and views as their logarithm (e-fold 10),
      -- so that what people chose outweighs what they merely looked at.
      popularity bigint not null generated always as (
        30 * praise_count + 20 * install_count + round(10 * ln(1 + view_count::double precision))::bigint
      ) stored
    ) with (fillfactor = 60);

    -- Plugins whose popularity has changed since the lists were last put in order. Append-only, hence no key.
    create table popularity_change (plugin_id bigint not null);

    create function note_popularity_change() returns trigger language plpgsql set search_path from current as $$
    begin
      insert into popularity_change values (new.plugin_id);
      return null;
    end $$;
    create trigger note_popularity_change after update on plugin_counter
      for each row when (old.popularity <> new.popularity) execute function note_popularity_change();
  `.execute(db);
}
