import type { FastifyRequest } from 'fastify';
import { LRUCache, type Perf } from 'lru-cache';
import { type Static, type TSchema, Type } from 'typebox';
import { Check } from 'typebox/value';
import type { TypedProof } from '../../../../shared/entities/sign-in.ts';
import type { Role } from '../../../../shared/entities/user.ts';
import {
  accountCalls,
  CheckedGrants,
  GRANTS_AT_ONCE,
  IssuedGrant,
  publishGrantCalls,
} from '../../../../shared/identity-calls.ts';
import { type UserServiceCall, userServiceCalls } from '../../../../shared/user-service.ts';
import { tokenInvalid } from '../../../http/authentication.ts';
import { appError } from '../../../http/errors.ts';
import { createOutgoingFetch } from '../../../http/outgoing.ts';
import { clientRefusal } from '../../../http/service-credential.ts';
import { COMMUNITY_TIMEOUTS } from '../../timeouts.ts';
import type { Caller } from './caller.ts';

/** Source of the current rights of a publish token's owner (setting PUBLISH_RIGHTS). */
export type RightsSource = 'identity' | 'last-seen';

type TokenOwner = {
  owner_grant: string | null;
  /** From their latest access token, and when it was used here. */
  role: Role;
  seen_at: Date;
};

/** The confirmed state of a session. */
type ConfirmedSession = {
  role: Role;
  /** Null if the user service issues none. */
  grant: string | null;
  /** The latest sign-out from all devices, which ends earlier tokens; milliseconds since 1970. */
  signedOutAt: number | null;
};

export type OwnerRights = {
  /** True if tokens have grants. */
  issuesGrants: boolean;
  /**
   * Checks that the session of an access token has not ended.
   * @throws TOKEN_INVALID if it has, SERVICE_UNAVAILABLE if the user service does not respond
   */
  confirm(accessToken: string, caller: Caller): Promise<ConfirmedSession>;
  /**
   * Reauthenticates the owner of an access token, at a user service that can.
   * @throws what the user service answers, or SERVICE_UNAVAILABLE
   */
  reauthenticate(accessToken: string, typed: TypedProof, request: FastifyRequest): Promise<void>;
  /**
   * Reads the role of a token's owner, at most a minute old; null if the token has ended with its owner's rights.
   * @throws OWNER_NOT_SEEN, SERVICE_UNAVAILABLE
   */
  roleOf(owner: TokenOwner): Promise<Role | null>;
  /** Filters the grants that have ended. @throws SERVICE_UNAVAILABLE */
  ended(grants: readonly string[]): Promise<ReadonlySet<string>>;
};

type Options = {
  ask: AskIdentity;
  now: () => number;
  /** The clock of the cache; the process's own by default. */
  perf?: Perf | undefined;
};

/** Milliseconds for which a response of identity is cached, counted from the request. */
const CACHE_TTL = 60_000;
const CACHE_MAX = 10_000;

/** Milliseconds for which a token is valid after its owner's last request, if grants are not supported. */
const SEEN_TTL = 7 * 24 * 60 * 60 * 1000;

/** Checks rights with our own user service, by a grant that it has issued for each token. */
export function rightsByIdentity({ ask, perf = performance }: Omit<Options, 'now'>): OwnerRights {
  async function check(grants: readonly string[]): Promise<(Role | null)[]> {
    const { role_list } = await ask(publishGrantCalls.check, CheckedGrants, { body: { grant_list: grants } });
    if (role_list.length !== grants.length) throw unavailable('the user service returned other grants');
    return role_list;
  }
  /** Roles by grant; ended grants are not cached. */
  const roles = new LRUCache<string, Role>({
    max: CACHE_MAX,
    ttl: CACHE_TTL,
    ttlResolution: 0,
    perf,
    ignoreFetchAbort: true,
    fetchMethod: async (grant, _stale, { options }) => {
      const start = perf.now();
      const [role] = await check([grant]);
      options.ttl = Math.max(1, CACHE_TTL - (perf.now() - start));
      return role ?? undefined;
    },
  });
  return {
    issuesGrants: true,
    async confirm(accessToken) {
      const { grant, role, signed_out_at } = await ask(publishGrantCalls.issue, IssuedGrant, {
        bearer: accessToken,
      });
      return { grant, role, signedOutAt: signed_out_at };
    },
    async reauthenticate(bearer, { password, code }, request) {
      await ask(accountCalls.reauthenticate, Type.Object({}), { bearer, body: { password, code }, request });
    },
    async roleOf({ owner_grant }) {
      // The token is older than grants; it gets one when its owner opens the list of tokens.
      if (owner_grant === null) throw appError('OWNER_NOT_SEEN');
      return (await roles.fetch(owner_grant)) ?? null;
    },
    async ended(grants) {
      const ended = new Set<string>();
      for (let first = 0; first < grants.length; first += GRANTS_AT_ONCE) {
        const some = grants.slice(first, first + GRANTS_AT_ONCE);
        const found = await check(some);
        for (const [index, grant] of some.entries()) {
          if (found[index] !== null) continue;
          ended.add(grant);
          roles.delete(grant);
        }
      }
      return ended;
    },
  };
}

const UserOf = Type.Object({ user_id: Type.Union([Type.Integer(), Type.String()]) });

/**
 * Other user services have the calls R 14.43 to 14.53 alone, none of which reports on an absent user. So a token is
 * valid for a week after its owner's last signed-in request to a publisher or administrator route, with the role of that
 * request; a session is confirmed with `user/userinfo`.
 */
export function rightsByLastSeen({ ask, now }: Options): OwnerRights {
  return {
    issuesGrants: false,
    async confirm(accessToken, { user_id, role }) {
      const user = await ask(userServiceCalls.userInfo, UserOf, { bearer: accessToken });
      if (Number(user.user_id) !== user_id) throw tokenInvalid();
      return { role, grant: null, signedOutAt: null };
    },
    reauthenticate: async () => undefined,
    async roleOf({ role, seen_at }) {
      if (now() - seen_at.getTime() >= SEEN_TTL) throw appError('OWNER_NOT_SEEN');
      return role;
    },
    ended: async () => new Set(),
  };
}

function unavailable(cause: unknown) {
  return appError('SERVICE_UNAVAILABLE', {
    cause: cause instanceof Error ? cause : new Error(String(cause)),
  });
}

type AskOptions = { bearer?: string; body?: unknown; request?: Pick<FastifyRequest, 'clientAddress'> };

/** Answers to what the user typed, which they must see. */
const Refusal = Type.Object({
  code: Type.Union([
    Type.Literal('REAUTHENTICATION_REQUIRED'),
    Type.Literal('PASSWORD_WRONG'),
    Type.Literal('SECOND_FACTOR_WRONG'),
    Type.Literal('TOO_MANY_REQUESTS'),
  ]),
  errors: Type.Optional(Type.Array(Type.Object({ pointer: Type.String(), message: Type.String() }))),
});

function refusalOf(content: unknown, retryAfter: string | null) {
  if (!Check(Refusal, content)) return undefined;
  return appError(content.code, {
    ...(content.errors && { details: content.errors }),
    ...(retryAfter !== null && { headers: { 'retry-after': retryAfter } }),
  });
}

/**
 * Calls the user service; the result is the response body, its `data`, or the `data` of that.
 * `request`: the user's, if they typed something: the user service counts wrong ones by its address.
 * @throws TOKEN_INVALID if it rejects the bearer token, why it refuses what was typed, SERVICE_UNAVAILABLE without a valid
 *   response
 */
export type AskIdentity = <S extends TSchema>(
  call: UserServiceCall,
  schema: S,
  options: AskOptions,
) => Promise<Static<S>>;

type IdentityClient = {
  identityUrl: string;
  /** PEM of a private certificate authority. */
  ca?: string | undefined;
  /** Authorization of calls without a user's bearer; undefined for a user service of another make. */
  credential?: string | undefined;
  /** Milliseconds for an answer. */
  timeout?: number;
};

export function createIdentityClient({
  identityUrl,
  ca,
  credential,
  timeout = COMMUNITY_TIMEOUTS.identity,
}: IdentityClient): AskIdentity {
  const send = createOutgoingFetch({ ca, timeout });
  return async <S extends TSchema>(
    { method, path }: UserServiceCall,
    schema: S,
    { bearer, body, request }: AskOptions,
  ): Promise<Static<S>> => {
    const authorization = bearer === undefined ? credential : `Bearer ${bearer}`;
    const response = await send(`${identityUrl}/${path}`, {
      method,
      headers: {
        accept: 'application/json',
        ...(authorization !== undefined && { authorization }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(request && { 'x-forwarded-for': request.clientAddress }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const content: unknown = await response.json().catch(() => undefined);
    const refusal = clientRefusal('identity', {
      status: response.status,
      challenge: response.headers.get('www-authenticate'),
    });
    if (refusal !== undefined) throw unavailable(refusal);
    if (response.status === 401 && bearer !== undefined) throw tokenInvalid();
    const refused = request && refusalOf(content, response.headers.get('retry-after'));
    if (refused) throw refused;
    const data: unknown = Object(content).data;
    const found = [Object(data).data, data, content].find((candidate) => Check(schema, candidate));
    if (!response.ok || !Check(schema, found)) {
      throw unavailable(`the user service responded to ${path} with ${response.status}; see PUBLISH_RIGHTS`);
    }
    return found;
  };
}
