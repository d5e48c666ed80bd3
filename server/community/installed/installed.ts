import { PAGE_SIZE } from '../../../shared/constants.ts';
import type { DataOf, QueryOf } from '../../../shared/route.ts';
import type { ownRoutes } from '../../../shared/routes/own.ts';
import { toldTotal } from '../../../shared/told-total.ts';
import { appError } from '../../http/errors.ts';
import type { Caller } from '../auth/caller.ts';
import { cardsOf, type Reader } from '../plugins/cards/cards.ts';
import { decodeCursor, encodeCursor, LatestPlace } from '../plugins/list/cursor.ts';
import type { Db } from '../schema.ts';
import { countInstalled, readInstalledPackage, readInstalledRows } from './store.ts';

type InstalledQuery = QueryOf<(typeof ownRoutes)['listInstalled']>;
type InstalledPage = DataOf<(typeof ownRoutes)['listInstalled']>;

/**
 * A page of what the caller has installed.
 * @throws BAD_CURSOR
 */
export async function listInstalled(
  db: Db,
  { cursor, limit = PAGE_SIZE }: InstalledQuery,
  reader: Reader & { caller: Caller },
): Promise<InstalledPage> {
  const userId = reader.caller.user_id;
  const list = ['installed', userId];
  const after = cursor === undefined ? undefined : decodeCursor(cursor, list, LatestPlace);
  const [total, found] = await Promise.all([
    countInstalled(db, userId),
    readInstalledRows(db, { userId, after, limit: limit + 1 }),
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
    ...toldTotal(total),
    next_cursor: last ? encodeCursor([last.sort_key, last.plugin_id], list) : null,
    plugin_list: rows.flatMap((row) => {
      const plugin = byKey.get(row.plugin_key);
      if (!plugin) return [];
      return [{ plugin, is_available: row.is_available, installed_at: row.installed_at.toISOString() }];
    }),
  };
}

/**
 * Name in the file store of the package that somebody who has installed a plugin works with.
 * @throws PLUGIN_NOT_FOUND for what the caller has not installed, VERSION_NOT_FOUND for a plugin without a package
 */
export async function findInstalledPackage(db: Db, pluginKey: string, caller: Caller): Promise<string> {
  const found = await readInstalledPackage(db, { userId: caller.user_id, pluginKey });
  if (!found) throw appError('PLUGIN_NOT_FOUND');
  if (found.file === null) throw appError('VERSION_NOT_FOUND');
  return found.file;
}
