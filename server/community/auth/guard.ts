import type { FastifyRequest } from 'fastify';
import type { Access } from '../../../shared/route.ts';
import { appError } from '../../http/errors.ts';
import type { Guard } from '../../http/implement.ts';
import { noteRole } from '../people/store.ts';
import type { Db } from '../schema.ts';
import { type Caller, isAdmin, mayPublish, type Publishers, setCaller, unauthenticated } from './caller.ts';
import { createPersonKeeper } from './person.ts';
import { PUBLISH_TOKEN_PREFIX, readPublishToken } from './publish-token.ts';
import { type ReadToken, tokenInvalid } from './token.ts';

const MAY_PASS: Readonly<
  Record<Exclude<Access, 'all'>, (caller: Caller, publishers: Publishers) => boolean>
> = {
  user: () => true,
  publisher: mayPublish,
  admin: isAdmin,
};

/** Those who call such routes leave things behind under their names, or tokens that act in them. */
const KEEPS_PERSON: ReadonlySet<Access> = new Set(['publisher', 'admin']);

type Parts = { db: Db; readToken: ReadToken; publishers: Publishers; now: () => number };

/**
 * Asked before every route: reads the bearer token, then holds the caller against the route's `access`.
 * A token that is no good is refused on open routes too, or its owner would silently see a visitor's page. A publish
 * token is good on the routes that are marked so, and nowhere else.
 */
export function createGuard({ db, readToken, publishers, now }: Parts): Guard {
  const keepPerson = createPersonKeeper(db, now);
  return async (route, request) => {
    const bearer = bearerOf(request);
    if (bearer?.startsWith(PUBLISH_TOKEN_PREFIX)) {
      if (!route.publishToken) throw tokenInvalid();
      setCaller(request, await readPublishToken(db, bearer, { publishers, now }));
      return;
    }
    const caller = bearer === undefined ? null : await readToken(bearer);
    setCaller(request, caller);
    const { access } = route;
    if (access === 'all') return;
    if (!caller) throw unauthenticated();
    const mayPass = MAY_PASS[access](caller, publishers);
    if (mayPass && KEEPS_PERSON.has(access)) await keepPerson(caller);
    if (mayPass) return;
    // Whoever has lost a role loses it for his publish tokens too.
    await noteRole(db, caller);
    throw appError('FORBIDDEN');
  };
}

function bearerOf({ headers: { authorization } }: FastifyRequest): string | undefined {
  if (authorization === undefined) return undefined;
  const token = /^Bearer +([\w.~+/-]+=*)$/i.exec(authorization)?.[1];
  if (token === undefined) throw tokenInvalid();
  return token;
}
