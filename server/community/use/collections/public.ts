import type { FastifyInstance, FastifyRequest } from 'fastify';
import { PAGE_SIZE } from '../../../../shared/constants.ts';
import { contract } from '../../../../shared/contract.ts';
import type { Language } from '../../../../shared/languages.ts';
import type { DataOf, QueryOf } from '../../../../shared/route.ts';
import type { PublicCollection } from '../../../../shared/routes/collection.ts';
import type { publicCollectionRoutes as Routes } from '../../../../shared/routes/public-collection.ts';
import { appError } from '../../../http/errors.ts';
import { implement } from '../../../http/implement.ts';
import type { Reader } from '../../catalogue/plugins/cards.ts';
import { languageOf } from '../../language.ts';
import { cutPage, decodeCursor, LatestPlace } from '../../pages.ts';
import { visitorOrCaller } from '../../people/auth/caller.ts';
import type { Db } from '../../schema.ts';
import { ownerOf, readCollection, toSummary } from './collections.ts';
import { findKeyBySlug, readShownEditors } from './editors-store.ts';
import { readPublicRows, readRowsWith, readSitemapRows } from './public-store.ts';
import type { CollectionRow } from './store.ts';

/** Collections of the editors that a page shows. */
const EDITORS_MAX = 100;
/** Collections that the page of a plugin names. */
const WITH_MAX = 6;
/** More would make the first sitemap after a while slow. */
const SITEMAP_MAX = 10_000;

/** What everybody finds: collections of the editors, and what users share with everybody. */
export function publicCollectionsRoutes(app: FastifyInstance): void {
  const { db } = app;
  implement(app, contract.listEditorsCollections, async ({ request }) => ({
    collection_list: toPublic(await readShownEditors(db, EDITORS_MAX), languageOf(request)),
  }));
  implement(app, contract.readEditorsCollection, async ({ query, request }) => {
    const key = await findKeyBySlug(db, query.slug);
    if (key === undefined) throw appError('COLLECTION_NOT_FOUND');
    return readCollection(db, key, readerOf(request));
  });
  implement(app, contract.listPublicCollections, ({ query, request }) =>
    listPublic(db, query, languageOf(request)),
  );
  implement(app, contract.listCollectionsWith, async ({ query, request }) => ({
    collection_list: toPublic(await readRowsWith(db, query.plugin_key, WITH_MAX), languageOf(request)),
  }));
  implement(app, contract.listSitemapCollections, async () => ({
    collection_list: (await readSitemapRows(db, SITEMAP_MAX)).map(({ collection_key, slug, updated_at }) => ({
      collection_key,
      ...(slug !== null && { slug }),
      updated_at: updated_at.toISOString(),
    })),
  }));
}

/**
 * A page of what users share with everybody. One whose plugins are all unpublished is left out, so a page may be shorter.
 * @throws BAD_CURSOR
 */
async function listPublic(
  db: Db,
  { user_id: userId, cursor, limit = PAGE_SIZE }: QueryOf<(typeof Routes)['listPublicCollections']>,
  language: Language,
): Promise<DataOf<(typeof Routes)['listPublicCollections']>> {
  const list = ['public collections', userId ?? 0];
  const after = cursor === undefined ? undefined : decodeCursor(cursor, list, LatestPlace);
  const found = await readPublicRows(db, { userId, after, limit: limit + 1 });
  const { rows, next_cursor } = cutPage(found, limit, {
    list,
    placeOf: ({ updated_at, id }) => [updated_at.getTime(), id],
  });
  const shown = rows.filter(({ plugin_count }) => plugin_count > 0);
  return { collection_list: toPublic(shown, language), next_cursor };
}

function toPublic(rows: readonly CollectionRow[], language: Language): PublicCollection[] {
  return rows.map((row) => ({ ...toSummary(row, language), owner: ownerOf(row) }));
}

function readerOf(request: FastifyRequest): Reader {
  return { caller: visitorOrCaller(request), language: languageOf(request) };
}
