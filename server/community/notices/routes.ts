import type { FastifyInstance } from 'fastify';
import { contract } from '../../../shared/contract.ts';
import { implement } from '../../http/implement.ts';
import { callerOf } from '../auth/caller.ts';
import type { Guards } from '../auth/guard.ts';
import type { Db } from '../schema.ts';
import { listNotices, readNotices } from './notices.ts';
import { countUnread } from './store.ts';

/** What people are told of what became of their plugins, reports, tokens and role. */
export function noticesRoutes(app: FastifyInstance, guards: Guards, db: Db, now: () => number): void {
  implement(app, guards.user, contract.listNotices, ({ query, request }) =>
    listNotices(db, query, callerOf(request).user_id),
  );
  implement(app, guards.user, contract.countNotices, async ({ request }) => ({
    unread_count: await countUnread(db, callerOf(request).user_id),
  }));
  implement(app, guards.user, contract.readNotices, ({ body, request }) =>
    readNotices(db, body, { userId: callerOf(request).user_id, at: new Date(now()) }),
  );
}
