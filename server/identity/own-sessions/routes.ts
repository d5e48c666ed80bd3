import type { FastifyInstance } from 'fastify';
import { ownSessionRoutes } from '../../../shared/routes/own-session.ts';
import { implement } from '../../http/implement.ts';
import type { IdentityContext } from '../context.ts';
import { callerOf, userGuard } from '../sessions/user-guard.ts';
import { endOtherSessions, endOwnSession, listOwnSessions } from './own-sessions.ts';

/** Where a user is signed in, and signing out there. */
export function serveOwnSessions(app: FastifyInstance, identity: IdentityContext): void {
  const guard = userGuard(identity);
  implement(app, guard, ownSessionRoutes.listOwnSessions, ({ request }) =>
    listOwnSessions(identity, callerOf(request)),
  );
  implement(app, guard, ownSessionRoutes.endOwnSession, ({ body, request }) =>
    endOwnSession(identity, callerOf(request), { sid: body.sid, log: request.log }),
  );
  implement(app, guard, ownSessionRoutes.endOtherSessions, ({ request }) =>
    endOtherSessions(identity, callerOf(request), request.log),
  );
}
