import type { FastifyInstance } from 'fastify';
import { contract } from '../../../shared/contract.ts';
import { implement } from '../../http/implement.ts';
import { callerOf } from '../auth/caller.ts';
import type { Guards } from '../auth/guard.ts';
import type { Db } from '../schema.ts';
import { createPublishToken, listPublishTokens, revokePublishToken } from './tokens.ts';

/** Publish tokens, by which a command line publishes in somebody's name. */
export function tokensRoutes(app: FastifyInstance, guards: Guards, db: Db, now: () => number): void {
  implement(app, guards.publisher, contract.createPublishToken, ({ body, request }) =>
    createPublishToken(db, body, callerOf(request), now()),
  );
  implement(app, guards.publisher, contract.listPublishTokens, async ({ request }) => ({
    token_list: await listPublishTokens(db, callerOf(request)),
  }));
  implement(app, guards.publisher, contract.revokePublishToken, async ({ body, request }) => {
    await revokePublishToken(db, body.id, callerOf(request), now());
    return {};
  });
}
