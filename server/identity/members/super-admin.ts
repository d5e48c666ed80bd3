import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ROLE_SUPER_ADMIN } from '../../../shared/constants.ts';
import { appError } from '../../http/errors.ts';
import type { Guard } from '../../http/implement.ts';
import { bearerToken } from '../calls/bearer.ts';
import type { IdentityContext } from '../context.ts';
import { CALLERS, type Caller } from '../sessions/caller.ts';

/** Under this name the guard leaves the super administrator with the request. */
const DECORATOR = 'superAdmin';

export function decorateWithSuperAdmin(app: FastifyInstance): void {
  app.decorateRequest(DECORATOR, null);
}

/**
 * Lets super administrators in, by the role that the account has now: what the token says of it may be 15 minutes old.
 * @throws UNAUTHENTICATED, TOKEN_INVALID, FORBIDDEN from the guard
 */
export function superAdminGuard(identity: IdentityContext): Guard {
  return async (_route, request) => {
    const caller = await CALLERS.access(identity, bearerToken(request), request.log);
    if (caller.user.role !== ROLE_SUPER_ADMIN) throw appError('FORBIDDEN');
    request.setDecorator<Caller>(DECORATOR, caller);
  };
}

export function superAdminOf(request: FastifyRequest): Caller {
  return request.getDecorator<Caller>(DECORATOR);
}
