import { LRUCache, type Perf } from 'lru-cache';
import { type Static, type TSchema, Type } from 'typebox';
import { Check } from 'typebox/value';
import type { Role } from '../../../shared/entities/user.ts';
import {
  CheckedGrants,
  GRANTS_AT_ONCE,
  IssuedGrant,
  publishGrantCalls,
} from '../../../shared/identity-calls.ts';
import { type UserServiceCall, userServiceCalls } from '../../../shared/user-service.ts';
import { appError } from '../../http/errors.ts';
import { createOutgoingFetch } from '../../http/outgoing.ts';
import type { Caller } from './caller.ts';
import { tokenInvalid } from './token.ts';

/** Who says what the owner of a publish token may do now (setting PUBLISH_RIGHTS). */
export type RightsSource = 'identity' | 'last-seen';

/** A publish token's owner, as far as their rights go. */
type TokenOwner = {
  owner_grant: string | null;
  /** As their latest access token said, and when that was shown here. */
  role: Role;
  seen_at: Date;
};

/** What identity has confirmed of somebody who is signed in. */
type Confirmed = {
  role: Role;
  /** Null where the user service issues none. */
  grant: string | null;
  /** The latest sign-out everywhere: what was made until then has ended. Milliseconds since 1970. */
  signedOutAt: number | null;
};

export type OwnerRights = {
  /** Whether tokens are to carry a grant. */
  issuesGrants: boolean;
  /**
   * Asks whether the session of an access token holds at this moment.
   * @throws TOKEN_INVALID when it does not, SERVICE_UNAVAILABLE when the user service cannot be asked
   */
  confirm(accessToken: string, caller: Caller): Promise<Confirmed>;
  /**
   * The role of a token's owner, at most a minute old; null when the token has ended with its owner's rights.
   * @throws OWNER_NOT_SEEN, SERVICE_UNAVAILABLE
   */
  roleOf(owner: TokenOwner): Promise<Role | null>;
  /** Those of the grants that have ended by now. @throws SERVICE_UNAVAILABLE */
  ended(grants: readonly string[]): Promise<ReadonlySet<string>>;
};

type Options = {
  identityUrl: string;
  /** PEM of a private authority that vouches for it. */
  ca: string | undefined;
  now: () => number;
  /** The clock of what is cached, if not the process's own. */
  perf?: Perf | undefined;
};

/** How long, milliseconds, an answer of identity holds, counted from the question. */
const KNOWN_FOR = 60_000;
const KNOWN = 10_000;
const TIMEOUT = 5000;

/** How long, milliseconds, a token works after its owner was last seen, where the user service cannot be asked. */
const SEEN_FOR = 7 * 24 * 60 * 60 * 1000;

/** Our own user service is asked, by a grant that it has issued to each token's owner. */
export function rightsByIdentity({ identityUrl, ca, perf = performance }: Options): OwnerRights {
  const ask = asker(identityUrl, ca);

  async function check(grants: readonly string[]): Promise<(Role | null)[]> {
    const { role_list } = await ask(publishGrantCalls.check, CheckedGrants, { body: { grant_list: grants } });
    if (role_list.length !== grants.length) throw unavailable('the user service answered other grants');
    return role_list;
  }
  /** Roles by grant; of a grant that has ended nothing is kept. */
  const roles = new LRUCache<string, Role>({
    max: KNOWN,
    ttl: KNOWN_FOR,
    ttlResolution: 0,
    perf,
    ignoreFetchAbort: true,
    fetchMethod: async (grant, _stale, { options }) => {
      const asked = perf.now();
      const [role] = await check([grant]);
      options.ttl = Math.max(1, KNOWN_FOR - (perf.now() - asked));
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
    async roleOf({ owner_grant }) {
      // Made before grants were issued; it gets one as soon as its owner looks at their tokens.
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
 * A user service of another make has the calls of the specification alone, none of which tells about somebody who is not
 * there. So a token works for a week after its owner's latest signed-in call of a publisher's or administrator's route,
 * by the role they had in it; a session is confirmed by `user/userinfo`.
 */
export function rightsAsLastSeen({ identityUrl, ca, now }: Options): OwnerRights {
  const ask = asker(identityUrl, ca);
  return {
    issuesGrants: false,
    async confirm(accessToken, { user_id, role }) {
      const user = await ask(userServiceCalls.userInfo, UserOf, { bearer: accessToken });
      if (Number(user.user_id) !== user_id) throw tokenInvalid();
      return { role, grant: null, signedOutAt: null };
    },
    async roleOf({ role, seen_at }) {
      if (now() - seen_at.getTime() >= SEEN_FOR) throw appError('OWNER_NOT_SEEN');
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

/**
 * Asks the user service; its answer stands in the body, its `data`, or the `data` of that.
 * @throws TOKEN_INVALID when it refuses the bearer, SERVICE_UNAVAILABLE without a usable answer
 */
export type AskIdentity = <S extends TSchema>(
  call: UserServiceCall,
  schema: S,
  given: { bearer?: string; body?: unknown },
) => Promise<Static<S>>;

export function asker(identityUrl: string, ca: string | undefined): AskIdentity {
  const send = createOutgoingFetch({ ca, timeout: TIMEOUT });
  return async <S extends TSchema>(
    { method, path }: UserServiceCall,
    schema: S,
    { bearer, body }: { bearer?: string; body?: unknown },
  ): Promise<Static<S>> => {
    const response = await send(`${identityUrl}/${path}`, {
      method,
      headers: {
        accept: 'application/json',
        ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer: unknown = await response.json().catch(() => undefined);
    if (response.status === 401 && bearer !== undefined) throw tokenInvalid();
    const data: unknown = Object(answer).data;
    const found = [Object(data).data, data, answer].find((place) => Check(schema, place));
    if (!response.ok || !Check(schema, found)) {
      throw unavailable(`the user service answered ${path} with ${response.status}; see PUBLISH_RIGHTS`);
    }
    return found;
  };
}
