import type { FastifyRequest } from 'fastify';
import { ROLE_SUPER_ADMIN } from '../../../shared/constants.ts';
import type { Access } from '../../../shared/route.ts';
import { appError } from '../../http/errors.ts';
import type { Guard } from '../../http/implement.ts';
import type { Db } from '../schema.ts';
import { updateRole, upsertUser } from '../users.ts';
import {
  type Caller,
  callerOf,
  isAdmin,
  mayPublish,
  type Publishers,
  setCaller,
  unauthenticated,
} from './caller.ts';
import type { OwnerRights } from './owner-rights.ts';
import { PUBLISH_TOKEN_PREFIX, readPublishToken } from './publish-token.ts';
import { type ReadToken, tokenInvalid } from './token.ts';

const IS_ALLOWED: Readonly<
  Record<Exclude<Access, 'all'>, (caller: Caller, publishers: Publishers) => boolean>
> = {
  user: () => true,
  publisher: mayPublish,
  admin: isAdmin,
};

/** Callers of these routes create content or tokens that need their name and role later. */
const STORES_PERSON: ReadonlySet<Access> = new Set(['publisher', 'admin']);

type Dependencies = {
  db: Db;
  readToken: ReadToken;
  rights: OwnerRights;
  publishers: Publishers;
  now: () => number;
};

/** From the least to the most restrictive. */
const RESTRICTIONS: readonly Access[] = ['all', 'user', 'publisher', 'admin'];

/**
 * A guard per access level. `publishToken`: a publisher, or their publish token; `superAdmin`: administrator routes of the
 * contract that concern accounts.
 */
export type Guards = Readonly<Record<Access | 'publishToken' | 'superAdmin', Guard>>;

/**
 * Creates the guards, which authenticate the bearer token and check access. The gateway checks the contract's `access`
 * alone; here the stricter of that and of the guard applies, so a mistake in the contract exposes no data.
 * Invalid tokens are rejected on open routes too, or their owner would silently see a visitor's page.
 */
export function createGuards({ db, readToken, rights, publishers, now }: Dependencies): Guards {
  const storePerson = createPersonCache(db, now);
  const createGuard =
    (right: Access, { takesToken = false } = {}): Guard =>
    async (route, request) => {
      const bearer = bearerOf(request);
      if (bearer?.startsWith(PUBLISH_TOKEN_PREFIX)) {
        if (!takesToken || !route.publishToken) throw tokenInvalid();
        setCaller(request, await readPublishToken(db, bearer, { publishers, rights, now }));
        return;
      }
      const caller = bearer === undefined ? null : await readToken(bearer);
      setCaller(request, caller);
      const access = stricter(right, route.access);
      if (access === 'all') return;
      if (!caller) throw unauthenticated();
      const isAllowed = IS_ALLOWED[access](caller, publishers);
      if (isAllowed && STORES_PERSON.has(access)) await storePerson(caller);
      if (isAllowed) return;
      // Publish tokens may depend on the last known role of their owner.
      await updateRole(db, caller);
      throw appError('FORBIDDEN');
    };
  const admin = createGuard('admin');
  return {
    all: createGuard('all'),
    user: createGuard('user'),
    publisher: createGuard('publisher'),
    publishToken: createGuard('publisher', { takesToken: true }),
    admin,
    superAdmin: async (route, request) => {
      await admin(route, request);
      if (callerOf(request).role !== ROLE_SUPER_ADMIN) throw appError('FORBIDDEN');
    },
  };
}

function stricter(one: Access, other: Access): Access {
  return RESTRICTIONS.indexOf(one) > RESTRICTIONS.indexOf(other) ? one : other;
}

/**
 * Reads the token of `Authorization: Bearer` (RFC 6750 section 2.1).
 * @returns undefined without the header
 * @throws TOKEN_INVALID for a malformed header
 */
export function bearerOf({ headers: { authorization } }: FastifyRequest): string | undefined {
  if (authorization === undefined) return undefined;
  const token = /^Bearer +([\w.~+/-]+=*)$/i.exec(authorization)?.[1];
  if (token === undefined) throw tokenInvalid();
  return token;
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
