import type { FastifyRequest } from 'fastify';
import { AUDIT_ALL } from '../../../../shared/constants.ts';
import type { ManagedPlugin } from '../../../../shared/entities/backstage.ts';
import type { Language } from '../../../../shared/languages.ts';
import { cappedTotal } from '../../../../shared/paging.ts';
import type { BodyOf, DataOf, QueryOf } from '../../../../shared/route.ts';
import type { manageRoutes } from '../../../../shared/routes/manage.ts';
import type { markRoutes } from '../../../../shared/routes/tag.ts';
import { appError } from '../../../http/errors.ts';
import { lockMark, writePluginMark } from '../../catalogue/marks/store.ts';
import { readIdPage } from '../../catalogue/ordered-list/page.ts';
import { cardsOf } from '../../catalogue/plugins/cards.ts';
import { type LockedPlugin, lockPlugin } from '../../catalogue/plugins/store.ts';
import { indexPlugins } from '../../catalogue/search/index-store.ts';
import { toWithdrawal } from '../../catalogue/withdrawal/withdrawn.ts';
import { languageOf } from '../../language.ts';
import { type AuditLogDetail, recordChange } from '../../people/audit-log/store.ts';
import { type Caller, callerOf } from '../../people/auth/caller.ts';
import { insertNotices, noticeNames } from '../../people/notices/store.ts';
import { isPublisher } from '../../people/policy.ts';
import { refusedAt } from '../../plain-text.ts';
import type { Db } from '../../schema.ts';
import { readTotals } from '../../tally.ts';
import {
  type Change,
  countDeleted,
  DELETED_ORDER,
  lockRecommended,
  managedOrder,
  readManagedRows,
  readRecommendedKeys,
  setHidden,
  writeRecommendedOrder,
} from './store.ts';

type ListRoute = (typeof manageRoutes)['listManagedPlugins'];
type Managing = { caller: Caller; language: Language };

/** The administrator and their language. */
export function managingOf(request: FastifyRequest): Managing {
  return { caller: callerOf(request), language: languageOf(request) };
}

/** A setting of a plugin: its change, and the actions in the audit log. */
type Setting = { change: Change; actions: { on: string; off: string }; detail?: AuditLogDetail };

export const HIDING: Setting = { change: setHidden, actions: { on: 'plugin.hide', off: 'plugin.show' } };

/**
 * A page of all plugins that are not deleted. The order may use counters that are some seconds old; rows show current ones.
 * @throws TAG_NOT_FOUND, BAD_CURSOR
 */
export async function listManagedPlugins(
  db: Db,
  query: QueryOf<ListRoute>,
  managing: Managing,
): Promise<DataOf<ListRoute>> {
  const { audit_status: status = AUDIT_ALL, sort = 'latest' } = query;
  if (query.is_deleted) return listDeleted(db, query, managing);
  const total = async () => {
    const totals = await readTotals(db, ['plugin 1', 'plugin 2', 'plugin 3']);
    const all = [totals['plugin 1'], totals['plugin 2'], totals['plugin 3']];
    return all.filter((_, n) => status === AUDIT_ALL || status === n + 1).reduce((sum, n) => sum + n, 0);
  };
  const list = { name: ['managed', status, sort], order: managedOrder(status, sort), total };
  const { ids, ...page } = await readIdPage(db, list, query);
  return { ...page, plugin_list: await managedPlugins(db, ids, managing) };
}

/** A page of deleted plugins, which can still be withdrawn. */
async function listDeleted(
  db: Db,
  { cursor, limit }: QueryOf<ListRoute>,
  managing: Managing,
): Promise<DataOf<ListRoute>> {
  const list = { name: ['deleted'], order: DELETED_ORDER, total: () => countDeleted(db) };
  const { ids, total, ...page } = await readIdPage(db, list, {
    ...(cursor !== undefined && { cursor }),
    ...(limit !== undefined && { limit }),
  });
  return { ...page, ...cappedTotal(total), plugin_list: await managedPlugins(db, ids, managing) };
}

/**
 * Changes a setting of a plugin and records that in the audit log; a repeated change does nothing.
 * @throws PLUGIN_NOT_FOUND
 */
export async function changeSetting(
  db: Db,
  setting: Setting,
  { plugin_key: pluginKey, isOn }: { plugin_key: string; isOn: boolean },
  managing: Managing,
): Promise<ManagedPlugin> {
  const { caller } = managing;
  return db.transaction().execute(async (trx) => {
    const plugin = await lockPlugin(trx, pluginKey);
    if (!plugin) throw appError('PLUGIN_NOT_FOUND');
    await changeLocked(trx, setting, { plugin, pluginKey, isOn, caller });
    const [managed] = await managedPlugins(trx, [plugin.id], managing);
    if (!managed) throw appError('PLUGIN_NOT_FOUND');
    return managed;
  });
}

/**
 * Hides a plugin from other users, or shows it again. The publisher is notified when another user hides it.
 * @throws PLUGIN_NOT_FOUND
 */
export async function hidePlugin(
  db: Db,
  { plugin_key, is_hidden: isOn }: BodyOf<(typeof manageRoutes)['hidePlugin']>,
  managing: Managing,
  at: Date,
): Promise<ManagedPlugin> {
  const change: Change = async (trx, to) => {
    const isChanged = await setHidden(trx, to);
    if (isChanged && isOn) await notifyHidden(trx, plugin_key, to.actorId, at);
    return isChanged;
  };
  return changeSetting(db, { ...HIDING, change }, { plugin_key, isOn }, managing);
}

async function notifyHidden(trx: Db, plugin_key: string, actorId: number, at: Date): Promise<void> {
  const plugin = await lockPlugin(trx, plugin_key);
  if (!plugin || isPublisher({ user_id: actorId }, plugin)) return;
  const data = { plugin_key, ...noticeNames(plugin) };
  await insertNotices(trx, [{ userId: plugin.publisher_id, kind: 'plugin_hidden', data }], at);
}

/**
 * Sets the mark of a plugin, or removes it with an empty code; a repeated change does nothing.
 * @throws PLUGIN_NOT_FOUND, MARK_NOT_FOUND
 */
export async function markPlugin(
  db: Db,
  { plugin_key, plugin_mark: code }: BodyOf<(typeof markRoutes)['markPlugin']>,
  managing: Managing,
): Promise<ManagedPlugin> {
  const isOn = code !== '';
  const change: Change = async (trx, { pluginId }) => {
    if (isOn && !(await lockMark(trx, code))) throw appError('MARK_NOT_FOUND');
    const isChanged = await writePluginMark(trx, { pluginId, code });
    if (isChanged) await indexPlugins(trx, [pluginId]);
    return isChanged;
  };
  const actions = { on: 'plugin.mark', off: 'plugin.unmark' };
  return changeSetting(db, { change, actions, detail: { mark: code } }, { plugin_key, isOn }, managing);
}

/** Changes a setting of a plugin that `lockPlugin` has locked. */
export async function changeLocked(
  trx: Db,
  { change, actions, detail }: Setting,
  {
    plugin,
    pluginKey,
    isOn,
    caller,
  }: { plugin: LockedPlugin; pluginKey: string; isOn: boolean; caller: Caller },
): Promise<void> {
  if (!(await change(trx, { pluginId: plugin.id, actorId: caller.user_id, isOn }))) return;
  await recordChange(trx, caller, {
    action: isOn ? actions.on : actions.off,
    targetKind: 'plugin',
    targetId: pluginKey,
    targetName: plugin,
    ...(detail && { detail }),
  });
}

async function managedPlugins(
  db: Db,
  pluginIds: readonly number[],
  reader: Managing,
): Promise<ManagedPlugin[]> {
  if (pluginIds.length === 0) return [];
  const cards = await cardsOf(db, pluginIds, reader);
  const rows = await readManagedRows(db, pluginIds);
  const byKey = new Map(cards.map((card) => [card.plugin_key, card]));
  return rows.flatMap(({ plugin_key, newest_version, created_at, withdrawal, ...row }) => {
    const card = byKey.get(plugin_key);
    if (!card) return [];
    const plugin = card.version === '' ? { ...card, version: newest_version } : card;
    return [
      {
        plugin,
        ...row,
        withdrawal: toWithdrawal(withdrawal, reader.language),
        created_at: created_at.toISOString(),
      },
    ];
  });
}

/**
 * Orders the recommended plugins; all of them must be listed.
 * @throws VALIDATION_FAILED for a duplicate key; CONFLICT when the recommended plugins have changed
 */
export async function orderRecommended(db: Db, pluginKeys: readonly string[], caller: Caller): Promise<void> {
  const wanted = new Set(pluginKeys);
  if (wanted.size < pluginKeys.length) throw refusedAt('/plugin_keys', 'must not contain duplicate items');
  await db.transaction().execute(async (trx) => {
    await lockRecommended(trx);
    const keys = await readRecommendedKeys(trx);
    if (keys.length !== wanted.size || keys.some((key) => !wanted.has(key))) throw appError('CONFLICT');
    if (keys.every((key, index) => key === pluginKeys[index])) return;
    await writeRecommendedOrder(trx, pluginKeys);
    await recordChange(trx, caller, {
      action: 'recommendation.order',
      targetKind: 'recommendation',
      targetId: '',
      targetName: '',
      detail: { count: pluginKeys.length },
    });
  });
}
