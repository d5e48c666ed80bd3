import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Guard } from '../../http/implement.ts';
import { bearerToken } from '../calls/bearer.ts';
import type { IdentityContext } from '../context.ts';
import { CALLERS, type Caller } from './caller.ts';

/** Under this name the guard leaves who calls with the request. */
const DECORATOR = 'userCaller';

export function decorateWithUser(app: FastifyInstance): void {
  app.decorateRequest(DECORATOR, null);
}

/**
 * Lets in who has a session that holds now: what the token says of it may be 15 minutes old.
 * @throws UNAUTHENTICATED, TOKEN_INVALID from the guard
 */
export function userGuard(identity: IdentityContext): Guard {
  return async (_route, request) => {
    request.setDecorator<Caller>(
      DECORATOR,
      await CALLERS.access(identity, bearerToken(request), request.log),
    );
  };
}

/** Who calls a route behind the guard: the user and the session of the call. */
export function callerOf(request: FastifyRequest): Caller {
  return request.getDecorator<Caller>(DECORATOR);
}
