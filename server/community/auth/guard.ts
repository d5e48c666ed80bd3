import type { Access } from '../../../shared/route.ts';
import { appError } from '../../http/errors.ts';
import type { Guard } from '../../http/implement.ts';
import { type Caller, isAdmin, mayPublish, type Publishers, setCaller, unauthenticated } from './caller.ts';
import { type ReadToken, tokenInvalid } from './token.ts';

const MAY_PASS: Readonly<
  Record<Exclude<Access, 'all'>, (caller: Caller, publishers: Publishers) => boolean>
> = {
  user: () => true,
  publisher: mayPublish,
  admin: isAdmin,
};

/**
 * Asked before every route: reads the bearer token, then holds the caller against the route's `access`.
 * A token that is no good is refused on open routes too, or its owner would silently see a visitor's page.
 */
export function createGuard(readToken: ReadToken, publishers: Publishers): Guard {
  return async ({ access }, request) => {
    const { authorization } = request.headers;
    const caller = authorization === undefined ? null : await readToken(bearerOf(authorization));
    setCaller(request, caller);
    if (access === 'all') return;
    if (!caller) throw unauthenticated();
    if (!MAY_PASS[access](caller, publishers)) throw appError('FORBIDDEN');
  };
}

function bearerOf(authorization: string): string {
  const token = /^Bearer +([\w.~+/-]+=*)$/i.exec(authorization)?.[1];
  if (token === undefined) throw tokenInvalid();
  return token;
}
