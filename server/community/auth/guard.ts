import type { FastifyRequest } from 'fastify';
import { ROLE_SUPER_ADMIN } from '../../../shared/constants.ts';
import type { Access } from '../../../shared/route.ts';
import { appError } from '../../http/errors.ts';
import type { Guard } from '../../http/implement.ts';
import { noteRole, rememberPerson } from '../people.ts';
import type { Db } from '../schema.ts';
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

const MAY_PASS: Readonly<
  Record<Exclude<Access, 'all'>, (caller: Caller, publishers: Publishers) => boolean>
> = {
  user: () => true,
  publisher: mayPublish,
  admin: isAdmin,
};

/** Those who call such routes leave things behind under their names, or tokens that act in them. */
const KEEPS_PERSON: ReadonlySet<Access> = new Set(['publisher', 'admin']);

type Dependencies = {
  db: Db;
  readToken: ReadToken;
  rights: OwnerRights;
  publishers: Publishers;
  now: () => number;
};

/** From the widest to the narrowest. */
const NARROWER: readonly Access[] = ['all', 'user', 'publisher', 'admin'];

/**
 * For each right, what is asked before a handler whose data needs it. `publishToken`: a publisher, or a token of theirs;
 * `superAdmin`: what the contract counts as an administrator's, and concerns accounts.
 */
export type Guards = Readonly<Record<Access | 'publishToken' | 'superAdmin', Guard>>;

/**
 * Asked before every route: reads the bearer token, then holds the caller against the right that the handler's room
 * names for its data. The gateway goes by the contract's `access`; should that be wider, the right here still holds, and
 * should it be narrower, it holds as well.
 * A token that is no good is refused on open routes too, or its owner would silently see a visitor's page.
 */
export function createGuards({ db, readToken, rights, publishers, now }: Dependencies): Guards {
  const keepPerson = createPersonKeeper(db, now);
  const guardFor =
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
      const access = narrower(right, route.access);
      if (access === 'all') return;
      if (!caller) throw unauthenticated();
      const mayPass = MAY_PASS[access](caller, publishers);
      if (mayPass && KEEPS_PERSON.has(access)) await keepPerson(caller);
      if (mayPass) return;
      // Publish tokens may be judged by the role their owner was last seen with.
      await noteRole(db, caller);
      throw appError('FORBIDDEN');
    };
  const admin = guardFor('admin');
  return {
    all: guardFor('all'),
    user: guardFor('user'),
    publisher: guardFor('publisher'),
    publishToken: guardFor('publisher', { takesToken: true }),
    admin,
    superAdmin: async (route, request) => {
      await admin(route, request);
      if (callerOf(request).role !== ROLE_SUPER_ADMIN) throw appError('FORBIDDEN');
    },
  };
}

function narrower(one: Access, other: Access): Access {
  return NARROWER.indexOf(one) > NARROWER.indexOf(other) ? one : other;
}

/**
 * The token of a request's `Authorization: Bearer` (RFC 6750 section 2.1), if it has such a header.
 * @throws TOKEN_INVALID for a header that holds no token
 */
export function bearerOf({ headers: { authorization } }: FastifyRequest): string | undefined {
  if (authorization === undefined) return undefined;
  const token = /^Bearer +([\w.~+/-]+=*)$/i.exec(authorization)?.[1];
  if (token === undefined) throw tokenInvalid();
  return token;
}

/** People remembered, so that most calls write nothing; then all are forgotten and written again. */
const REMEMBERED = 10_000;
/** How long, milliseconds, what was written counts as written: another instance may have seen more. */
const REMEMBERED_FOR = 60_000;

/** Writes down what an access token says of somebody. */
type KeepPerson = (caller: Caller) => Promise<void>;

/**
 * Keeps the rows of those who publish or administrate as their access tokens last described them: the name that others
 * see, and the role by which a publish token of theirs is judged.
 */
function createPersonKeeper(db: Db, now: () => number): KeepPerson {
  const written = new Map<number, { text: string; at: number }>();
  return async (caller) => {
    const { user_id, nick_name, avatar_url, role } = caller;
    const text = JSON.stringify([nick_name, avatar_url, role]);
    const known = written.get(user_id);
    const time = now();
    if (known?.text === text && Math.abs(time - known.at) < REMEMBERED_FOR) return;
    await rememberPerson(db, caller);
    if (written.size >= REMEMBERED) written.clear();
    written.set(user_id, { text, at: time });
  };
}
