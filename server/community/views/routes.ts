import type { FastifyInstance, FastifyRequest } from 'fastify';
import { contract } from '../../../shared/contract.ts';
import { implement } from '../../http/implement.ts';
import { visitorOrCaller } from '../auth/caller.ts';
import type { Guards } from '../auth/guard.ts';
import { findSeenPlugin } from '../plugins/detail/access.ts';
import type { Db } from '../schema.ts';
import type { ViewCounting } from './counting.ts';

/** Recording views. The answer never waits for a write. */
export function viewsRoutes(app: FastifyInstance, guards: Guards, db: Db, views: ViewCounting): void {
  implement(app, guards.all, contract.recordView, async ({ body, request }) => {
    const { id } = await findSeenPlugin(db, body.plugin_key, visitorOrCaller(request));
    if (views.isNew(viewerOf(request), body.plugin_key)) views.add(id);
    return {};
  });
}

function viewerOf(request: FastifyRequest): string {
  const caller = visitorOrCaller(request);
  if (caller) return `user ${caller.user_id}`;
  return `address ${request.ip}`;
}
