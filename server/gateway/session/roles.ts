import type { FastifyBaseLogger } from 'fastify';
import { Value } from 'typebox/value';
import { contract } from '../../../shared/contract.ts';
import { Role } from '../../../shared/entities/user.ts';
import { FALLBACK_LANGUAGE } from '../../../shared/languages.ts';
import { shapeOf } from '../../../shared/shape.ts';
import { tolerant } from '../../../shared/tolerant.ts';
import { boundedMap } from '../../memory/bounded-map.ts';
import { askRead, isObject, jsonObject } from '../upstream/ask.ts';
import type { Upstream } from '../upstream/upstream.ts';
import { type Session, sessionHash } from './session.ts';

/** How long a role that was read is believed, and how long a page waits for one. */
const BELIEVED = 30_000;
const TIMEOUT_MS = 5000;

const REMEMBERED = 10_000;

/** Numbers may be text at a foreign service. */
const roleShape = shapeOf(Role);

/** The role of a session as the marketplace knows it; null when it cannot be told. */
export type RoleOf = (session: Session) => Promise<Role | null>;

/** Roles by manager/verify, each kept for 30 s; requests at the same time share one call. */
export function createRoles({
  community,
  now,
  log,
}: {
  community: Upstream;
  now: () => number;
  log: FastifyBaseLogger;
}): RoleOf {
  const known = boundedMap<{ role: Promise<Role | null>; at: number }>({ limit: REMEMBERED });

  async function read(session: Session): Promise<Role | null> {
    try {
      const answer = await askRead(community, {
        path: contract.verifyUser.path,
        headers: { accept: 'application/json', authorization: `Bearer ${session.access_token}` },
        timeout: TIMEOUT_MS,
      });
      const { data } = jsonObject(answer.body);
      const role = isObject(data) ? tolerant(roleShape, data.role, FALLBACK_LANGUAGE) : undefined;
      if (answer.status === 200 && Value.Check(Role, role)) return role;
      log.warn({ status: answer.status, session: sessionHash(session) }, 'manager/verify returned no role');
    } catch (error) {
      log.warn({ err: error, session: sessionHash(session) }, 'manager/verify failed');
    }
    known.delete(keyOf(session));
    return null;
  }
  return (session) => {
    const key = keyOf(session);
    const found = known.get(key);
    if (found && Math.abs(now() - found.at) < BELIEVED) return found.role;
    const role = read(session);
    known.set(key, { role, at: now() });
    return role;
  };
}

/** A user may have another role in another enterprise. */
function keyOf({ id, user }: Session): string {
  return `${id} ${user.e_id}`;
}

export function isAdmin(role: Role | null): boolean {
  return role === 1 || role === 2;
}

/** The same roles, and which one a session was last seen with, for the log. */
export function rememberRoles(roleOf: RoleOf): {
  roleOf: RoleOf;
  lastRole: (session: Session) => Role | undefined;
} {
  const last = boundedMap<Role>({ limit: REMEMBERED });
  return {
    async roleOf(session) {
      const role = await roleOf(session);
      if (role !== null) last.set(session.id, role);
      return role;
    },
    lastRole: (session) => last.get(session.id),
  };
}
