import { KIT_LIMITS } from '../../../../shared/constants.ts';
import { rightsOf } from '../../../../shared/package/permission-changes.ts';
import type { BodyOf } from '../../../../shared/route.ts';
import type { Kit, KitSummary, kitRoutes } from '../../../../shared/routes/kit.ts';
import { appError } from '../../../http/errors.ts';
import { cardsOf, type Reader } from '../../catalogue/plugins/cards.ts';
import { findUsable, lockPlugin } from '../../catalogue/plugins/store.ts';
import { recordChange } from '../../people/audit-log/store.ts';
import type { Caller } from '../../people/auth/caller.ts';
import { plainText, refusedAt, requiredText } from '../../plain-text.ts';
import type { Db } from '../../schema.ts';
import {
  deleteKitPlugin,
  deleteKitRow,
  findKit,
  insertKit,
  insertKitPlugin,
  type KitRow,
  lockKit,
  orderKitPlugins,
  readKitPlugins,
  readKitRows,
  touchKit,
  updateKit,
} from './store.ts';

type Routes = typeof kitRoutes;
type Changing = { caller: Caller; at: Date };

export async function listKits(db: Db): Promise<KitSummary[]> {
  return (await readKitRows(db)).map(toSummary);
}

function toSummary({ updated_at, ...row }: KitRow): KitSummary {
  return { ...row, updated_at: updated_at.toISOString() };
}

/** @throws NOT_FOUND */
export async function readKit(db: Db, id: number, reader: Reader): Promise<Kit> {
  const row = await findKit(db, id);
  if (!row) throw appError('NOT_FOUND');
  const rows = await readKitPlugins(db, id);
  const cards = await cardsOf(
    db,
    rows.map((plugin) => plugin.id),
    reader,
  );
  const byKey = new Map(cards.map((card) => [card.plugin_key, card]));
  return {
    ...toSummary(row),
    plugin_list: rows.flatMap(({ plugin_key, is_visible, domains, permissions }) => {
      const plugin = byKey.get(plugin_key);
      const rights = rightsOf({ permissions }, domains);
      return plugin
        ? [{ plugin, is_available: is_visible, domains: rights.domains, permissions: rights.permissions }]
        : [];
    }),
  };
}

/**
 * Makes a kit, or changes the given fields of one; a change of nothing is not recorded.
 * @throws NOT_FOUND, KIT_LIMIT_REACHED; VALIDATION_FAILED without a name, or for a department of no enterprise
 */
export async function saveKit(
  db: Db,
  { id, ...change }: BodyOf<Routes['saveKit']>,
  { caller, at }: Changing,
): Promise<{ id: number }> {
  return db.transaction().execute(async (trx) => {
    const before = id === undefined ? undefined : await lockKit(trx, id);
    if (id !== undefined && !before) throw appError('NOT_FOUND');
    const fields = {
      name: before && change.name === undefined ? before.name : requiredText(change.name ?? '', '/name'),
      e_id: change.e_id ?? before?.e_id ?? 0,
      department: plainText(change.department ?? before?.department ?? '', '/department'),
    };
    if (fields.e_id === 0 && fields.department !== '')
      throw refusedAt('/department', 'goes with an enterprise');
    const isSame =
      fields.name === before?.name && fields.e_id === before.e_id && fields.department === before.department;
    if (before && isSame) return { id: before.id };
    if (before) await updateKit(trx, before.id, fields, at);
    const savedId = before?.id ?? (await insertKit(trx, fields, { at, limit: KIT_LIMITS.kits }));
    if (savedId === undefined) throw appError('KIT_LIMIT_REACHED');
    const { e_id, department } = fields;
    await record(trx, caller, before ? 'kit.change' : 'kit.add', {
      id: savedId,
      name: fields.name,
      detail: { e_id, department },
    });
    return { id: savedId };
  });
}

/** @throws NOT_FOUND */
export async function deleteKit(db: Db, id: number, { caller }: Changing): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { name } = await lockedKit(trx, id);
    await deleteKitRow(trx, id);
    await record(trx, caller, 'kit.delete', { id, name });
  });
}

/** @throws NOT_FOUND, PLUGIN_NOT_FOUND for a plugin that is not published, KIT_FULL */
export async function setKitPlugin(
  db: Db,
  { id, plugin_key, is_in: isIn }: BodyOf<Routes['setKitPlugin']>,
  { caller, at }: Changing,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { name } = await lockedKit(trx, id);
    const isChanged = isIn ? await add(trx, id, plugin_key) : await remove(trx, id, plugin_key);
    if (!isChanged) return;
    await touchKit(trx, id, at);
    await record(trx, caller, isIn ? 'kit.fill' : 'kit.empty', { id, name, detail: { plugin_key } });
  });
}

async function add(trx: Db, id: number, pluginKey: string): Promise<boolean> {
  const pluginId = await findUsable(trx, pluginKey);
  if (pluginId === undefined) throw appError('PLUGIN_NOT_FOUND');
  const outcome = await insertKitPlugin(trx, { id, pluginId }, KIT_LIMITS.plugins);
  if (outcome === 'full') throw appError('KIT_FULL');
  return outcome === 'added';
}

/** Removes a plugin, also one that is not published any more. */
async function remove(trx: Db, id: number, pluginKey: string): Promise<boolean> {
  const plugin = await lockPlugin(trx, pluginKey, { isDeletedToo: true });
  return plugin !== undefined && deleteKitPlugin(trx, { id, pluginId: plugin.id });
}

/** @throws NOT_FOUND; CONFLICT if it has other plugins by now */
export async function orderKit(
  db: Db,
  { id, plugin_keys: keys }: BodyOf<Routes['orderKit']>,
  { caller, at }: Changing,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { name } = await lockedKit(trx, id);
    const rows = await readKitPlugins(trx, id);
    const ids = new Map(rows.map((row) => [row.plugin_key, row.id]));
    const ordered = [...new Set(keys)].flatMap((key) => ids.get(key) ?? []);
    if (ordered.length !== rows.length || keys.length !== rows.length) throw appError('CONFLICT');
    if (rows.every((row, index) => row.id === ordered[index])) return;
    await orderKitPlugins(trx, id, ordered);
    await touchKit(trx, id, at);
    await record(trx, caller, 'kit.order', { id, name });
  });
}

async function lockedKit(trx: Db, id: number) {
  const found = await lockKit(trx, id);
  if (!found) throw appError('NOT_FOUND');
  return found;
}

type Changed = { id: number; name: string; detail?: Readonly<Record<string, string | number>> };

function record(trx: Db, caller: Caller, action: string, { id, name, detail }: Changed): Promise<void> {
  return recordChange(trx, caller, {
    action,
    targetKind: 'kit',
    targetId: id,
    targetName: name,
    ...(detail && { detail }),
  });
}
