import type { FastifyInstance, FastifyRequest } from 'fastify';
import { contract } from '../../../shared/contract.ts';
import { implement } from '../../http/implement.ts';
import { callerOf } from '../auth/caller.ts';
import { bearerOf, type Guards } from '../auth/guard.ts';
import {
  countManagedTokens,
  listManagedTokens,
  revokeManagedToken,
  revokeManagedTokens,
} from './managed-tokens.ts';
import {
  createPublishToken,
  listPublishTokens,
  type OwnerCall,
  revokePublishToken,
  type TokenParts,
} from './tokens.ts';

/** Publish tokens, by which a command line publishes in somebody's name. */
export function tokensRoutes(app: FastifyInstance, guards: Guards, parts: TokenParts): void {
  implement(app, guards.publisher, contract.createPublishToken, ({ body, request }) =>
    createPublishToken(parts, body, ownerCall(request)),
  );
  implement(app, guards.publisher, contract.listPublishTokens, async ({ request }) => ({
    token_list: await listPublishTokens(parts, ownerCall(request)),
  }));
  implement(app, guards.publisher, contract.revokePublishToken, async ({ body, request }) => {
    await revokePublishToken(parts, body.id, callerOf(request));
    return {};
  });

  implement(app, guards.superAdmin, contract.listManagedTokens, ({ query, request }) =>
    listManagedTokens(parts, query, request.log),
  );
  implement(app, guards.superAdmin, contract.countManagedTokens, ({ query, request }) =>
    countManagedTokens(parts, query, request.log),
  );
  implement(app, guards.superAdmin, contract.revokeManagedToken, async ({ body, request }) => {
    await revokeManagedToken(parts, body.id, callerOf(request));
    return {};
  });
  implement(app, guards.superAdmin, contract.revokeManagedTokens, async ({ body, request }) => ({
    ended: await revokeManagedTokens(parts, body.user_id, callerOf(request)),
  }));
}

/** Who looks after their own tokens, with the access token that identity can be asked about. */
function ownerCall(request: FastifyRequest): OwnerCall {
  return { caller: callerOf(request), accessToken: bearerOf(request) ?? '', log: request.log };
}
