import type { FastifyInstance } from 'fastify';
import { contract } from '../../../shared/contract.ts';
import { implement } from '../../http/implement.ts';
import { callerOf } from '../auth/caller.ts';
import type { Guards } from '../auth/guard.ts';
import { languageOf } from '../language.ts';
import type { Db } from '../schema.ts';
import { deletePlugin, listOwnPlugins, readEditablePlugin } from './own.ts';

/** What publishers see of their own plugins, and their deletion. */
export function ownRoutes(app: FastifyInstance, guards: Guards, db: Db, now: () => number): void {
  implement(app, guards.user, contract.listOwnPlugins, ({ query, request }) =>
    listOwnPlugins(db, query, { caller: callerOf(request), language: languageOf(request), now: now() }),
  );
  implement(app, guards.publisher, contract.readEditablePlugin, ({ query, request }) =>
    readEditablePlugin(db, query.plugin_key, {
      caller: callerOf(request),
      language: languageOf(request),
      now: now(),
    }),
  );
  implement(app, guards.publisher, contract.deletePlugin, async ({ body, request }) => {
    await deletePlugin(db, body.plugin_key, callerOf(request), now());
    return {};
  });
}
