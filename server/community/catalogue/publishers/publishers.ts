import type { FastifyInstance, FastifyRequest } from 'fastify';
import { SORT_LATEST } from '../../../../shared/constants.ts';
import { contract } from '../../../../shared/contract.ts';
import type { Publisher } from '../../../../shared/entities/publisher.ts';
import { textIn } from '../../../../shared/languages.ts';
import { cappedTotal } from '../../../../shared/paging.ts';
import type { DataOf, QueryOf } from '../../../../shared/route.ts';
import type { publisherRoutes as Routes } from '../../../../shared/routes/publisher.ts';
import { appError } from '../../../http/errors.ts';
import { implement } from '../../../http/implement.ts';
import { languageOf } from '../../language.ts';
import { cutPage, decodeCursor, LatestPlace, PopularPlace } from '../../pages.ts';
import { visitorOrCaller } from '../../people/auth/caller.ts';
import { canSeeProfile } from '../../people/policy.ts';
import type { Db } from '../../schema.ts';
import { cardsOf, type Reader } from '../plugins/cards.ts';
import { readPublisherListing } from '../plugins/store.ts';
import { profileRoutes } from './profile.ts';
import { findPublisher, readPosterPictures, readSitemapHandles, readTotals } from './store.ts';

/** Plugins whose pictures make the poster. */
const POSTER = 6;
/** More would make the first sitemap after a while slow. */
const SITEMAP_MAX = 10_000;

/** @throws PUBLISHER_NOT_FOUND */
async function readPublisher(db: Db, handle: string, { caller, language }: Reader): Promise<Publisher> {
  const found = await findPublisher(db, handle);
  if (!found) throw appError('PUBLISHER_NOT_FOUND');
  const { about: texts, links, default_lang, hidden_reason, verified_as, ...publisher } = found;
  const isShown = hidden_reason === null || canSeeProfile(caller, found);
  const [{ plugin_count, install_count }, picture_list] = await Promise.all([
    readTotals(db, found.user_id),
    readPosterPictures(db, found.user_id, POSTER),
  ]);
  const about = textIn(isShown ? texts : {}, language, default_lang ?? language);
  return {
    ...publisher,
    ...(verified_as !== null && { verified: verified_as }),
    about: about.text,
    about_lang: about.lang,
    links: isShown ? links : [],
    ...(isShown && hidden_reason !== null && { hidden_reason }),
    ...cappedTotal(plugin_count),
    install_count,
    picture_list,
  };
}

/** @throws PUBLISHER_NOT_FOUND, BAD_CURSOR */
async function listPlugins(
  db: Db,
  { handle, sort, cursor, limit }: QueryOf<(typeof Routes)['listPublisherPlugins']>,
  reader: Reader,
): Promise<DataOf<(typeof Routes)['listPublisherPlugins']>> {
  const publisher = await findPublisher(db, handle);
  if (!publisher) throw appError('PUBLISHER_NOT_FOUND');
  const { user_id: publisherId } = publisher;
  const list = ['publisher', publisherId, sort];
  const place = sort === SORT_LATEST ? LatestPlace : PopularPlace;
  const after = cursor === undefined ? undefined : decodeCursor(cursor, list, place);
  const [found, { plugin_count }] = await Promise.all([
    readPublisherListing(db, publisherId, { sort, after, limit: limit + 1 }),
    readTotals(db, publisherId),
  ]);
  const { rows, next_cursor } = cutPage(found, limit, {
    list,
    placeOf: ({ sort_key, plugin_id }) => [sort_key, plugin_id],
  });
  const ids = rows.map((row) => row.plugin_id);
  return { ...cappedTotal(plugin_count), next_cursor, plugin_list: await cardsOf(db, ids, reader) };
}

/** Pages of publishers: who they are, and what they have published. */
export function publishersRoutes(app: FastifyInstance): void {
  const { db } = app;
  implement(app, contract.readPublisher, ({ query, request }) =>
    readPublisher(db, query.handle, readerOf(request)),
  );
  implement(app, contract.listPublisherPlugins, ({ query, request }) =>
    listPlugins(db, query, readerOf(request)),
  );
  implement(app, contract.listSitemapPublishers, async () => ({
    handle_list: await readSitemapHandles(db, SITEMAP_MAX),
  }));
  profileRoutes(app);
}

function readerOf(request: FastifyRequest): Reader {
  return { caller: visitorOrCaller(request), language: languageOf(request) };
}
