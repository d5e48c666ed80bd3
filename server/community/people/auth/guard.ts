import type { FastifyInstance } from 'fastify';
import { ROLE_SUPER_ADMIN } from '../../../../shared/constants.ts';
import type { Access, Route } from '../../../../shared/route.ts';
import {
  authenticateCalls,
  bearerIn,
  insufficientScope,
  tokenInvalid,
} from '../../../http/authentication.ts';
import { appError } from '../../../http/errors.ts';
import type { Db } from '../../schema.ts';
import { canPublish, isAdmin, type Publishers } from '../policy.ts';
import { updateRole, upsertUser } from '../users.ts';
import type { Caller } from './caller.ts';
import type { CheckProof } from './dpop.ts';
import type { OwnerRights } from './owner-rights.ts';
import { PUBLISH_TOKEN_PREFIX, readPublishToken } from './publish-token.ts';
import type { ReadToken } from './token.ts';

const IS_ALLOWED: Readonly<
  Record<Exclude<Access, 'all'>, (caller: Caller, publishers: Publishers) => boolean>
> = {
  user: () => true,
  publisher: canPublish,
  admin: isAdmin,
};

/** Callers of these routes create content or tokens that need their name and role later. */
const STORES_PERSON: ReadonlySet<Access> = new Set(['publisher', 'admin']);

type Dependencies = {
  db: Db;
  /** Of the credential between our services. */
  keys: readonly Buffer[];
  readToken: ReadToken;
  checkProof: CheckProof;
  rights: OwnerRights;
  publishers: Publishers;
  now: () => number;
};

/**
 * Authenticates the bearer token of every call and checks the access of its route. The gateway has checked that before; the
 * decision is here, where the data is.
 */
export function authorizeCalls(app: FastifyInstance, dependencies: Dependencies): void {
  const { db, keys, readToken, checkProof, rights, publishers, now } = dependencies;
  const upsertUser = createPersonCache(db, now);
  authenticateCalls<Caller>(app, {
    service: 'community',
    keys,
    acceptsBound: true,
    readerOf(request) {
      const { route } = request.routeOptions.config;
      return async (token) => {
        // There is nothing to protect: the answer is 404.
        if (!route) return null;
        if (!token.startsWith(PUBLISH_TOKEN_PREFIX)) {
          const caller = await readToken(token);
          await checkProof(request, caller);
          return withinScope(caller, route);
        }
        if (!route.publishToken || bearerIn(request) === undefined) throw tokenInvalid();
        return readPublishToken(db, token, { publishers, rights, now });
      };
    },
    async authorize(caller, { access, route }) {
      // Reading a publish token has checked what its owner may.
      if (caller.token) return;
      const isAllowed =
        IS_ALLOWED[access](caller, publishers) && (!route.superAdmin || caller.role === ROLE_SUPER_ADMIN);
      if (isAllowed && STORES_PERSON.has(access)) await upsertUser(caller);
      if (isAllowed) return;
      // Publish tokens may depend on the last known role of their owner.
      await updateRole(db, caller);
      throw appError('FORBIDDEN');
    },
  });
}

/** @throws FORBIDDEN when a tool calls what its user has not allowed, or what is not for tools */
function withinScope(caller: Caller, { scope }: Route): Caller {
  const { scopes, boundTo } = caller;
  if (scopes && !(scope && scopes.includes(scope)))
    throw insufficientScope(scope, boundTo === undefined ? 'Bearer' : 'DPoP');
  return caller;
}

/** Users in memory, so that most requests write nothing; beyond this number it is cleared. */
const CACHE_MAX = 10_000;
/** Milliseconds until a row is written again, since another instance may have changed it. */
const CACHE_TTL = 60_000;

/**
 * Stores publishers and administrators as their access tokens describe them: the public name, and the role that their
 * publish tokens depend on.
 */
function createPersonCache(db: Db, now: () => number): (caller: Caller) => Promise<void> {
  const written = new Map<number, { text: string; at: number }>();
  return async (caller) => {
    const { user_id, nick_name, avatar_url, role } = caller;
    const text = JSON.stringify([nick_name, avatar_url, role]);
    const known = written.get(user_id);
    const time = now();
    if (known?.text === text && Math.abs(time - known.at) < CACHE_TTL) return;
    await upsertUser(db, caller);
    if (written.size >= CACHE_MAX) written.clear();
    written.set(user_id, { text, at: time });
  };
}
