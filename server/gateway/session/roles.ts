import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import { Value } from 'typebox/value';
import { contract } from '../../../shared/contract.ts';
import { Role } from '../../../shared/entities/user.ts';
import { FALLBACK_LANGUAGE } from '../../../shared/languages.ts';
import { shapeOf } from '../../../shared/shape.ts';
import { tolerant } from '../../../shared/tolerant.ts';
import { isObject, jsonObject, NO_CACHE, readUpstream } from '../upstream.ts';
import { type Session, sessionHash } from './session.ts';

const CACHE_TTL_MS = 30_000;
const CACHE_SIZE = 10_000;

/** Other services may send numbers as text. */
const roleShape = shapeOf(Role);

export type Roles = ReturnType<typeof createRoles>;

/** Roles from manager/verify, cached for 30 s; concurrent requests share one call. */
export function createRoles({ gateway, upstreams }: FastifyInstance) {
  const { log, perf = performance, timeouts } = gateway;
  const last = new LRUCache<string, Role>({ max: CACHE_SIZE });
  const roles = new LRUCache<string, Role, Session>({
    max: CACHE_SIZE,
    ttl: CACHE_TTL_MS,
    ttlResolution: 0,
    perf,
    ignoreFetchAbort: true,
    fetchMethod: (_key, _stale, { context: session }) => read(session),
  });

  async function read(session: Session): Promise<Role | undefined> {
    try {
      const answer = await readUpstream(upstreams.community, {
        path: contract.verifyUser.path,
        headers: { ...NO_CACHE, accept: 'application/json', authorization: `Bearer ${session.access_token}` },
        timeout: timeouts.role,
      });
      const { data } = jsonObject(answer.body);
      const role = isObject(data) ? tolerant(roleShape, data.role, FALLBACK_LANGUAGE) : undefined;
      if (answer.status === 200 && Value.Check(Role, role)) {
        last.set(session.id, role);
        return role;
      }
      log.warn({ status: answer.status, session: sessionHash(session) }, 'manager/verify returned no role');
    } catch (error) {
      log.warn({ err: error, session: sessionHash(session) }, 'manager/verify failed');
    }
    return undefined;
  }
  return {
    /** The marketplace role of a session in its current enterprise; null if unknown. */
    of: async (session: Session): Promise<Role | null> =>
      (await roles.fetch(`${session.id} ${session.user.e_id}`, { context: session })) ?? null,
    /** The last known role of a session, for the log. */
    last: (session: Session): Role | undefined => last.get(session.id),
  };
}

export function isAdmin(role: Role | null): boolean {
  return role === 1 || role === 2;
}
