import type { FastifyInstance, FastifyRequest } from 'fastify';
import { contract } from '../../../../shared/contract.ts';
import { bearerIn } from '../../../http/authentication.ts';
import { implement } from '../../../http/implement.ts';
import { languageOf } from '../../language.ts';
import { callerOf } from '../../people/auth/caller.ts';
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
  type TokenContext,
} from './tokens.ts';

/** Publish tokens, with which a command line publishes for a user. */
export function tokensRoutes(app: FastifyInstance): void {
  const { db, clock: now } = app;
  const { rights, publishers } = app.community;
  const context: TokenContext = { db, rights, publishers, now };
  implement(app, contract.createPublishToken, ({ body, request }) =>
    createPublishToken(context, body, ownerCall(request)),
  );
  implement(app, contract.listPublishTokens, async ({ request }) => ({
    token_list: await listPublishTokens(context, ownerCall(request)),
  }));
  implement(app, contract.revokePublishToken, async ({ body, request }) => {
    await revokePublishToken(context, body.id, callerOf(request));
    return {};
  });

  implement(app, contract.listManagedTokens, ({ query, request }) =>
    listManagedTokens(context, query, { language: languageOf(request), log: request.log }),
  );
  implement(app, contract.countManagedTokens, ({ query, request }) =>
    countManagedTokens(context, query, request.log),
  );
  implement(app, contract.revokeManagedToken, async ({ body, request }) => {
    await revokeManagedToken(context, body.id, callerOf(request));
    return {};
  });
  implement(app, contract.revokeManagedTokens, async ({ body, request }) => ({
    ended: await revokeManagedTokens(context, body.user_id, callerOf(request)),
  }));
}

/** The owner of tokens, with the access token that identity confirms. */
function ownerCall(request: FastifyRequest): OwnerCall {
  return { caller: callerOf(request), accessToken: bearerIn(request) ?? '', request };
}
