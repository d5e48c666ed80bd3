import type { FastifyInstance } from 'fastify';
import { contract } from '../../../../shared/contract.ts';
import type { BodyOf } from '../../../../shared/route.ts';
import type { collectionRoutes } from '../../../../shared/routes/collection.ts';
import { appError } from '../../../http/errors.ts';
import { implement } from '../../../http/implement.ts';
import { checkSeenVersion } from '../../catalogue/installations/installations.ts';
import { languageOf } from '../../language.ts';
import { callerOf, visitorOrCaller } from '../../people/auth/caller.ts';
import type { Db } from '../../schema.ts';
import { changeInteractions, type Interaction } from '../interactions/store.ts';
import { lockOwnCollection } from './access.ts';
import { collectPlugin, listOwn, orderCollection, readCollection, saveCollection } from './collections.ts';
import { editorsCollectionsRoutes } from './editors.ts';
import { moderationRoutes } from './moderation.ts';
import { publicCollectionsRoutes } from './public.ts';
import { deleteCollectionRow } from './store.ts';

/** Collections of plugins that users and editors make. */
export function collectionsRoutes(app: FastifyInstance): void {
  const { db, clock: now } = app;
  const at = () => new Date(now());
  implement(app, contract.listOwnCollections, async ({ query, request }) => ({
    collection_list: await listOwn(db, query.plugin_key, {
      caller: callerOf(request),
      language: languageOf(request),
    }),
  }));
  implement(app, contract.readCollection, ({ query, request }) =>
    readCollection(db, query.collection_key, {
      caller: visitorOrCaller(request),
      language: languageOf(request),
    }),
  );
  implement(app, contract.saveCollection, ({ body, request }) =>
    saveCollection(db, body, { caller: callerOf(request), at: at() }),
  );
  implement(app, contract.deleteCollection, async ({ body, request }) => {
    await db.transaction().execute(async (trx) => {
      const { id } = await lockOwnCollection(trx, body.collection_key, callerOf(request));
      await deleteCollectionRow(trx, id);
    });
    return {};
  });
  implement(app, contract.collectPlugin, async ({ body, request }) => {
    await collectPlugin(db, body, { caller: callerOf(request), at: at() });
    return {};
  });
  implement(app, contract.orderCollection, async ({ body, request }) => {
    await orderCollection(db, body, { caller: callerOf(request), at: at() });
    return {};
  });
  implement(app, contract.installCollection, async ({ body, request }) => {
    const reader = { caller: callerOf(request), language: languageOf(request) };
    const { plugin_list } = await readCollection(db, body.collection_key, reader);
    const keys = new Set(plugin_list.map(({ plugin }) => plugin.plugin_key));
    if (!body.plugins.every(({ plugin_key }) => keys.has(plugin_key))) throw appError('CONFLICT');
    await installAll(db, body, reader.caller.user_id);
    return {};
  });
  publicCollectionsRoutes(app);
  editorsCollectionsRoutes(app);
  moderationRoutes(app);
}

/**
 * Installs plugins by the versions that the user has seen, all or none.
 * @throws CONFLICT if one asks for more by now, or is not published any more
 */
async function installAll(
  db: Db,
  { plugins }: BodyOf<(typeof collectionRoutes)['installCollection']>,
  userId: number,
): Promise<void> {
  for (const { plugin_key: pluginKey, version } of plugins)
    await checkSeenVersion(db, { userId, pluginKey, version });
  const changes = plugins.map(
    ({ plugin_key: pluginKey, version }): Interaction => ({
      userId,
      pluginKey,
      version,
      change: 'install',
      source: 'collection',
    }),
  );
  await db.transaction().execute(async (trx) => {
    if ((await changeInteractions(trx, changes)).includes(null)) throw appError('CONFLICT');
  });
}
