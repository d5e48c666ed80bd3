import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Perf } from 'lru-cache';
import { contract } from '../../../shared/contract.ts';
import { implement } from '../../http/implement.ts';
import { visitorOrCaller } from '../auth/caller.ts';
import type { Guards } from '../auth/guard.ts';
import { languageOf } from '../language.ts';
import type { Db } from '../schema.ts';
import { type Reader, toTag } from './cards/cards.ts';
import { listVersions, readPlugin } from './detail/detail.ts';
import { listPlugins } from './list/list.ts';
import { createKnownWords } from './list/search.ts';
import { listRecommended } from './recommended/recommended.ts';
import { readTags } from './store.ts';

/** Browsing: lists, tags, detail, versions, recommendations. */
export function pluginsRoutes(app: FastifyInstance, guards: Guards, db: Db, perf?: Perf): void {
  const known = createKnownWords({ perf });
  implement(app, guards.all, contract.listPlugins, ({ query, request }) =>
    listPlugins({ db, known }, query, readerOf(request)),
  );
  implement(app, guards.all, contract.listTags, async ({ request }) => {
    const tags = await readTags(db);
    return { tag_list: tags.map((tag) => toTag(tag, languageOf(request))) };
  });
  implement(app, guards.all, contract.readPlugin, ({ query, request }) =>
    readPlugin(db, query.plugin_key, readerOf(request)),
  );
  implement(app, guards.all, contract.listVersions, async ({ query, request }) => ({
    version_list: await listVersions(db, query.plugin_key, readerOf(request)),
  }));
  implement(app, guards.all, contract.listRecommended, ({ query, request }) =>
    listRecommended(db, query.page, readerOf(request)),
  );
}

function readerOf(request: FastifyRequest): Reader {
  return { caller: visitorOrCaller(request), language: languageOf(request) };
}
