import type { Role } from '../../../shared/entities/user.ts';
import { boundedMap } from '../../memory/bounded-map.ts';
import type { RoleOf } from './roles.ts';
import type { Session } from './session.ts';
import type { Sessions } from './sessions.ts';

/** What happens to sessions, for the figures. `over`: a cookie was right once; `unusable`: it means nothing. */
export type SessionEvent = 'begun' | 'ended' | 'over' | 'unusable';

/** The same sessions, with `onEvent` told of what happens to them. */
export function watchSessions(sessions: Sessions, onEvent: (event: SessionEvent) => void): Sessions {
  return {
    ...sessions,
    async open(cookies) {
      const visit = await sessions.open(cookies);
      if (visit.kind === 'ended') onEvent('over');
      if (visit.kind === 'anonymous' && visit.stale) onEvent('unusable');
      return visit;
    },
    begin(session, sent) {
      const lines = sessions.begin(session, sent);
      onEvent('begun');
      return lines;
    },
    async end(session) {
      const ended = await sessions.end(session);
      onEvent('ended');
      return ended;
    },
  };
}

const REMEMBERED = 10_000;

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
