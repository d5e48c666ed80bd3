import type { FastifyInstance } from 'fastify';
import { contract } from '../../../shared/contract.ts';
import { type Guard, implement } from '../../http/implement.ts';
import { callerOf } from '../auth/caller.ts';
import type { Db } from '../schema.ts';
import { createPublishToken, listPublishTokens, revokePublishToken } from './tokens.ts';

/** Publish tokens, by which a command line publishes in somebody's name. */
export function tokensRoutes(app: FastifyInstance, guard: Guard, db: Db, now: () => number): void {
  implement(app, guard, contract.createPublishToken, ({ body, request }) =>
    createPublishToken(db, body, callerOf(request), now()),
  );
  implement(app, guard, contract.listPublishTokens, async ({ request }) => ({
    token_list: await listPublishTokens(db, callerOf(request)),
  }));
  implement(app, guard, contract.revokePublishToken, async ({ body, request }) => {
    await revokePublishToken(db, body.id, callerOf(request), now());
    return {};
  });
}
