import { sql } from 'kysely';
import type { Source } from '../../../../shared/constants.ts';
import { PREPARED } from '../../../database/query.ts';
import type { Db } from '../../schema.ts';

/** Milliseconds that the interactions of one batch wait for the locks of others. */
const LOCK_TIMEOUT = '50';

type Change = 'like' | 'unlike' | 'install' | 'uninstall';
export type Interaction = {
  pluginKey: string;
  userId: number;
  change: Change;
  /** The version that an install accepts, the current one by default; that an uninstall ends. */
  version?: string | undefined;
  /** Where the user came from to what they install. */
  source?: Source | undefined;
};

/**
 * Applies changes of different users or plugins in one statement: a counter changes exactly when a row of the user
 * changes, so repeated and concurrent calls count once. Rows are locked in one order, users' rows before counters, which
 * prevents deadlocks.
 *
 * Published plugins may be liked and installed. Publishers may try their own unpublished plugins, which is not counted.
 * Users may uninstall and unlike plugins that are no longer published.
 * @returns plugin ids in the order of the interactions, null for a plugin that the user may not interact with
 */
export async function changeInteractions(
  db: Db,
  interactions: readonly Interaction[],
): Promise<(number | null)[]> {
  const { rows } = await sql<{ plugin_id: number | null }>`
    ${sql.raw(PREPARED)} with asked as materialized (
      select w.place, w.user_id, w.change, w.version, w.source, p.id as plugin_id, not p.is_visible as is_trial,
          coalesce(
            (select id from plugin_version where plugin_id = p.id and version = w.version and audit_status = 2),
            p.current_version_id
          ) as accepted_version_id
        from unnest(${interactions.map(({ pluginKey }) => pluginKey)}::text[], ${interactions.map(({ userId }) => userId)}::bigint[],
          ${interactions.map(({ change }) => change)}::text[], ${interactions.map(({ version }) => version ?? null)}::text[],
          ${interactions.map(({ source }) => source ?? null)}::text[])
          with ordinality as w (plugin_key, user_id, change, version, source, place)
        left join plugin p on p.plugin_key = w.plugin_key and (
          p.is_visible
          or w.change = 'install' and p.publisher_id = w.user_id and p.deleted_at is null and p.audit_status <> 2
          or w.change in ('unlike', 'uninstall') and (
            exists (select from plugin_install where user_id = w.user_id and plugin_id = p.id)
            or exists (select from plugin_trial where user_id = w.user_id and plugin_id = p.id)
            or exists (select from plugin_like where user_id = w.user_id and plugin_id = p.id)
          )
        )
    ), wanted as materialized (
      select user_id, plugin_id, change, version, source, accepted_version_id, is_trial from asked where plugin_id is not null order by user_id, plugin_id
    ), liked as (
      insert into plugin_like (user_id, plugin_id) select user_id, plugin_id from wanted where change = 'like'
        on conflict do nothing returning plugin_id
    ), unliked as (
      delete from plugin_like l using wanted w
        where w.change = 'unlike' and l.user_id = w.user_id and l.plugin_id = w.plugin_id returning l.plugin_id
    ), installed as (
      insert into plugin_install as i (user_id, plugin_id, accepted_version_id)
        select user_id, plugin_id, accepted_version_id from wanted where change = 'install' and not is_trial
        on conflict (user_id, plugin_id) do update
          set uninstalled_at = null, installed_at = now(), is_silent = false,
            accepted_version_id = excluded.accepted_version_id
          where i.uninstalled_at is not null
        returning user_id, plugin_id, installed_at, xmax = 0 as is_first
    ), uninstalled as (
      update plugin_install i set uninstalled_at = now(), hold = null, held_version_id = null from wanted w
        where w.change = 'uninstall' and i.user_id = w.user_id and i.plugin_id = w.plugin_id
          and i.uninstalled_at is null
        returning i.user_id, i.plugin_id, i.installed_at, i.uninstalled_at
    ), tried as (
      insert into plugin_trial (user_id, plugin_id)
        select user_id, plugin_id from wanted w where change = 'install' and is_trial
          and not exists (
            select from plugin_install where user_id = w.user_id and plugin_id = w.plugin_id and uninstalled_at is null
          )
        on conflict do nothing
    ), untried as (
      delete from plugin_trial t using wanted w
        where w.change = 'uninstall' and t.user_id = w.user_id and t.plugin_id = w.plugin_id
    ), parted as (
      insert into figure_change (plugin_id, day, figure, delta, part)
        select i.plugin_id, day_of(i.installed_at), 'installs', 1, w.source
          from installed i join wanted w using (user_id, plugin_id)
          where i.is_first and w.change = 'install' and w.source is not null
        union all select u.plugin_id, day_of(u.uninstalled_at), 'uninstalls', 1, w.version
          from uninstalled u join wanted w using (user_id, plugin_id)
          where day_of(u.uninstalled_at) <> day_of(u.installed_at) and w.change = 'uninstall' and w.version is not null
    ), moved as (
      select plugin_id, sum(likes) as likes, sum(install) as install from (
        select plugin_id, 1 as likes, 0 as install from liked
        union all select plugin_id, -1, 0 from unliked
        union all select plugin_id, 0, 1 from installed
        union all select plugin_id, 0, -1 from uninstalled
      ) each_one group by plugin_id
    ), locked as materialized (
      select c.plugin_id, moved.likes, moved.install from plugin_counter c join moved using (plugin_id)
        order by c.plugin_id for no key update of c
    ), counted as (
      update plugin_counter c
        set praise_count = praise_count + locked.likes, install_count = install_count + locked.install
        from locked where c.plugin_id = locked.plugin_id
    )
    select plugin_id from asked order by place`.execute(db);
  return rows.map((row) => row.plugin_id);
}

/**
 * Does the same, but waits for the locks of others only a moment.
 * @throws with code `55P03` (lock_not_available) if that is not enough
 */
export async function changeUnlessLocked(
  db: Db,
  interactions: readonly Interaction[],
): Promise<(number | null)[]> {
  return db.transaction().execute(async (trx) => {
    await sql`select set_config('lock_timeout', ${LOCK_TIMEOUT}, true)`.execute(trx);
    return changeInteractions(trx, interactions);
  });
}

/** A user's interactions with a plugin, and its counters. */
export type InteractionState = {
  plugin_key: string;
  is_liked: boolean;
  is_installed: boolean;
  praise_count: number;
  install_count: number;
};

/** @returns states in the order of the pairs, null for an unknown plugin */
export async function readStates(
  db: Db,
  pairs: readonly { pluginId: number; userId: number }[],
): Promise<(InteractionState | null)[]> {
  const { rows } = await sql<{ state: InteractionState | null }>`
    ${sql.raw(PREPARED)} select case when p.id is not null then jsonb_build_object(
          'plugin_key', p.plugin_key, 'praise_count', c.praise_count, 'install_count', c.install_count,
          'is_liked', exists (select from plugin_like where user_id = w.user_id and plugin_id = p.id),
          'is_installed', exists (
            select from plugin_install where user_id = w.user_id and plugin_id = p.id and uninstalled_at is null
          ) or exists (select from plugin_trial where user_id = w.user_id and plugin_id = p.id)
        ) end as state
      from unnest(${pairs.map(({ userId }) => userId)}::bigint[], ${pairs.map(({ pluginId }) => pluginId)}::bigint[])
        with ordinality as w (user_id, plugin_id, place)
      left join plugin p on p.id = w.plugin_id
      left join plugin_counter c on c.plugin_id = p.id
      order by w.place`.execute(db);
  return rows.map((row) => row.state);
}
