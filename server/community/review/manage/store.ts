import { sql } from 'kysely';
import { AUDIT_ALL, AUDIT_PASSED, AUDIT_REFUSED, AUDIT_WAITING } from '../../../../shared/constants.ts';
import type { QueryOf } from '../../../../shared/route.ts';
import type { manageRoutes } from '../../../../shared/routes/manage.ts';
import type { Ordered } from '../../catalogue/ordered-list/store.ts';
import { type WithdrawalRow, withdrawalOf } from '../../catalogue/withdrawal/withdrawn.ts';
import { boundedCount } from '../../pages.ts';
import type { Db } from '../../schema.ts';

export type ManagedSort = NonNullable<QueryOf<(typeof manageRoutes)['listManagedPlugins']>['sort']>;

/** Columns of `managed_plugin`; all are sorted in descending order. */
const KEYS: Readonly<Record<ManagedSort, Pick<Ordered, 'key' | 'keyKind'>>> = {
  latest: { key: sql`l.updated_at`, keyKind: 'time' },
  installs: { key: sql`l.install_count`, keyKind: 'number' },
  likes: { key: sql`l.praise_count`, keyKind: 'number' },
  views: { key: sql`l.view_count`, keyKind: 'number' },
  recommended: { key: sql`l.recommended_rank`, keyKind: 'number' },
};

const WORDS = { table: sql`plugin_search`, id: sql`plugin_id`, words: sql`"full"` };

const STATUSES = [AUDIT_WAITING, AUDIT_PASSED, AUDIT_REFUSED] as const;

/** All plugins, or those of a status, in an order. The indexes begin with the status, so all plugins are three ranges. */
export function managedOrder(status: number, sort: ManagedSort): Ordered {
  const statuses = STATUSES.filter((one) => status === AUDIT_ALL || status === one);
  return {
    from: sql`managed_plugin l`,
    id: sql`l.plugin_id`,
    direction: 'desc',
    ranges: statuses.map((one) => sql`l.audit_status = ${sql.lit(one)}`),
    search: { ...WORDS, ...(!statuses.includes(AUDIT_PASSED) && { within: sql`not w.is_listed` }) },
    ...KEYS[sort],
  };
}

/** Deleted plugins, the last deleted first. They have no words in the search index. */
export const DELETED_ORDER: Ordered = {
  from: sql`plugin l`,
  id: sql`l.id`,
  key: sql`l.deleted_at`,
  keyKind: 'time',
  direction: 'desc',
  ranges: [sql`l.deleted_at is not null`],
  search: WORDS,
};

/** Number of deleted plugins, up to one more than is shown exactly. */
export function countDeleted(db: Db): Promise<number> {
  return boundedCount(db, sql`from plugin where deleted_at is not null`);
}

/** Settings and counts of a managed plugin beside its card. */
type ManagedRow = {
  plugin_key: string;
  audit_status: 1 | 2 | 3;
  is_live: boolean;
  is_hidden: boolean;
  is_deleted: boolean;
  withdrawal: WithdrawalRow | null;
  is_recommended: boolean;
  recommended_position: number | null;
  is_silent: boolean;
  open_report_count: number;
  newest_version: string;
  created_at: Date;
};

/** Rows in the order of the ids. */
export async function readManagedRows(db: Db, pluginIds: readonly number[]): Promise<ManagedRow[]> {
  const { rows } = await sql<ManagedRow>`
    select p.plugin_key, p.audit_status, p.is_visible as is_live, p.is_hidden, p.created_at,
        p.deleted_at is not null as is_deleted,
        ${withdrawalOf('p')} as withdrawal,
        r.plugin_id is not null as is_recommended,
        case when r.plugin_id is not null then (
          select count(*) from recommendation earlier
            join managed_plugin m on m.plugin_id = earlier.plugin_id
            where (earlier.position, earlier.plugin_id) < (r.position, r.plugin_id)
        ) end as recommended_position,
        exists (select from silent_install where plugin_id = p.id) as is_silent,
        (select count(*) from report where plugin_id = p.id and state = 'open') as open_report_count,
        coalesce((
          select version from plugin_version where plugin_id = p.id order by created_at desc, id desc limit 1
        ), '') as newest_version
      from unnest(${[...pluginIds]}::bigint[]) with ordinality as wanted (id, place)
      join plugin p on p.id = wanted.id
      left join recommendation r on r.plugin_id = p.id
      order by wanted.place`.execute(db);
  return rows;
}

/** @returns whether the setting has changed */
export type Change = (trx: Db, to: { pluginId: number; actorId: number; isOn: boolean }) => Promise<boolean>;

export const setHidden: Change = async (trx, { pluginId, isOn }) => {
  const { rows } = await sql`
    update plugin set is_hidden = ${isOn} where id = ${pluginId} and is_hidden <> ${isOn} returning id`.execute(
    trx,
  );
  return rows.length > 0;
};

/** Makes a plugin a default install, or ends that; existing installs stay. */
export const setSilent: Change = async (trx, { pluginId, actorId, isOn }) => {
  const { rows } = isOn
    ? await sql`
        insert into silent_install (plugin_id, created_by) values (${pluginId}, ${actorId})
          on conflict do nothing returning plugin_id`.execute(trx)
    : await sql`delete from silent_install where plugin_id = ${pluginId} returning plugin_id`.execute(trx);
  return rows.length > 0;
};

/** Serializes changes of the recommended list until the transaction ends. */
export async function lockRecommended(trx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('plugin-square recommended', 0))`.execute(trx);
}

/** A newly recommended plugin is added at the end. */
export const setRecommended: Change = async (trx, { pluginId, actorId, isOn }) => {
  await lockRecommended(trx);
  const { rows } = isOn
    ? await sql`
        insert into recommendation (plugin_id, position, created_by)
          select ${pluginId}, coalesce(max(position) + 1, 0), ${actorId} from recommendation
          on conflict do nothing returning plugin_id`.execute(trx)
    : await sql`delete from recommendation where plugin_id = ${pluginId} returning plugin_id`.execute(trx);
  return rows.length > 0;
};

/** Keys of the recommended plugins in order, including hidden ones. */
export async function readRecommendedKeys(db: Db): Promise<string[]> {
  const { rows } = await sql<{ plugin_key: string }>`
    select p.plugin_key from recommendation r join plugin p on p.id = r.plugin_id and p.deleted_at is null
      order by r.position, r.plugin_id`.execute(db);
  return rows.map((row) => row.plugin_key);
}

export async function writeRecommendedOrder(trx: Db, pluginKeys: readonly string[]): Promise<void> {
  await sql`
    update recommendation r set position = wanted.place - 1
      from unnest(${[...pluginKeys]}::text[]) with ordinality as wanted (plugin_key, place)
      join plugin p using (plugin_key)
      where r.plugin_id = p.id and r.position <> wanted.place - 1`.execute(trx);
}
