import type { FastifyInstance } from 'fastify';
import { PAGE_SIZE } from '../../../../shared/constants.ts';
import { contract } from '../../../../shared/contract.ts';
import type { Language } from '../../../../shared/languages.ts';
import type { DataOf, QueryOf } from '../../../../shared/route.ts';
import { implement } from '../../../http/implement.ts';
import { languageOf } from '../../language.ts';
import { nameIn } from '../../names.ts';
import { cutPage, decodeCursor, LatestPlace } from '../../pages.ts';
import type { Db } from '../../schema.ts';
import { readRemovedRows } from './removed-store.ts';
import { toWithdrawal } from './withdrawn.ts';

type Route = typeof contract.listRemoved;

/**
 * A page of what was withdrawn after it had been published, latest first.
 * @throws BAD_CURSOR
 */
async function listRemoved(
  db: Db,
  { plugin_key: pluginKey, cursor, limit = PAGE_SIZE }: QueryOf<Route>,
  language: Language,
): Promise<DataOf<Route>> {
  const list = ['removed', pluginKey ?? ''];
  const after = cursor === undefined ? undefined : decodeCursor(cursor, list, LatestPlace);
  const found = await readRemovedRows(db, { pluginKey, after, limit: limit + 1 });
  const { rows, next_cursor } = cutPage(found, limit, {
    list,
    placeOf: ({ id, withdrawn_at }) => [withdrawn_at.getTime(), id],
  });
  return {
    next_cursor,
    removed_list: rows.map(({ id, plugin_key, version, withdrawn_at, ...row }) => ({
      id,
      plugin_key,
      name: nameIn(row, language),
      version,
      ...toWithdrawal({ ...row, withdrawn_at: withdrawn_at.toISOString() }, language),
    })),
  };
}

/** The public list of removed plugins (R 7.19). */
export function removedRoutes(app: FastifyInstance): void {
  const { db } = app;
  implement(app, contract.listRemoved, ({ query, request }) => listRemoved(db, query, languageOf(request)));
}
