import { cappedTotal } from '../../../shared/capped-total.ts';
import { PAGE_SIZE } from '../../../shared/constants.ts';
import type { DataOf, QueryOf } from '../../../shared/route.ts';
import type { ownRoutes } from '../../../shared/routes/own.ts';
import { appError } from '../../http/errors.ts';
import type { Caller } from '../auth/caller.ts';
import { cardsOf, type Reader } from '../plugins/cards/cards.ts';
import { decodeCursor, encodeCursor, LatestPlace } from '../plugins/list/cursor.ts';
import type { Db } from '../schema.ts';
import { readInstallations } from './installations.ts';
import { countPersonal, type PersonalList, readPersonalRows } from './store.ts';

type InstalledQuery = QueryOf<(typeof ownRoutes)['listInstalled']>;
type InstalledPage = DataOf<(typeof ownRoutes)['listInstalled']>;
type LikedPage = DataOf<(typeof ownRoutes)['listLiked']>;
type PersonalReader = Reader & { caller: Caller };

/**
 * A page of what the caller has installed.
 * @throws BAD_CURSOR
 */
export async function listInstalled(
  db: Db,
  query: InstalledQuery,
  reader: PersonalReader,
): Promise<InstalledPage> {
  const { plugin_list, ...page } = await readPersonalPage(db, 'installed', query, reader);
  const ids = plugin_list.map(({ id }) => id);
  const installations = await readInstallations(db, reader.caller.user_id, { ids });
  return {
    ...page,
    plugin_list: plugin_list.flatMap(({ id, at, plugin, is_available }) => {
      const found = installations.get(id);
      if (!found) return [];
      const { installation } = found;
      const version = plugin.version || installation.version;
      const shown = { ...plugin, version, is_installed: true };
      return [{ plugin: shown, is_available, ...installation, installed_at: at }];
    }),
  };
}

/**
 * A page of what the caller likes.
 * @throws BAD_CURSOR
 */
export async function listLiked(db: Db, query: InstalledQuery, reader: PersonalReader): Promise<LikedPage> {
  const { plugin_list, ...page } = await readPersonalPage(db, 'liked', query, reader);
  return { ...page, plugin_list: plugin_list.map(({ id: _, at, ...item }) => ({ ...item, liked_at: at })) };
}

async function readPersonalPage(
  db: Db,
  kind: PersonalList,
  { cursor, limit = PAGE_SIZE }: InstalledQuery,
  reader: PersonalReader,
) {
  const userId = reader.caller.user_id;
  const list = [kind, userId];
  const after = cursor === undefined ? undefined : decodeCursor(cursor, list, LatestPlace);
  const [total, found] = await Promise.all([
    countPersonal(db, kind, userId),
    readPersonalRows(db, kind, { userId, after, limit: limit + 1 }),
  ]);
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  const cards = await cardsOf(
    db,
    rows.map((row) => row.plugin_id),
    reader,
  );
  const byKey = new Map(cards.map((card) => [card.plugin_key, card]));
  return {
    ...cappedTotal(total),
    next_cursor: last ? encodeCursor([last.sort_key, last.plugin_id], list) : null,
    plugin_list: rows.flatMap((row) => {
      const plugin = byKey.get(row.plugin_key);
      if (!plugin) return [];
      return [{ id: row.plugin_id, plugin, is_available: row.is_available, at: row.at.toISOString() }];
    }),
  };
}

/**
 * Name in the file store of the package that somebody who has installed a plugin works with.
 * @throws PLUGIN_NOT_FOUND for what the caller has not installed, VERSION_NOT_FOUND for a plugin without a package that they may have
 */
export async function findInstalledPackage(db: Db, pluginKey: string, caller: Caller): Promise<string> {
  const [found] = (await readInstallations(db, caller.user_id, { key: pluginKey })).values();
  if (!found) throw appError('PLUGIN_NOT_FOUND');
  if (found.file === null) throw appError('VERSION_NOT_FOUND');
  return found.file;
}
