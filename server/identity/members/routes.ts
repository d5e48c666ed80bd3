import type { FastifyInstance, FastifyRequest } from 'fastify';
import { memberRoutes } from '../../../shared/routes/member.ts';
import { passwordRoutes } from '../../../shared/routes/password.ts';
import { implement } from '../../http/implement.ts';
import type { IdentityContext } from '../context.ts';
import { callerOf, superAdminGuard } from '../sessions/caller.ts';
import {
  changeRole,
  type Doing,
  disable,
  handLink,
  proveForSuperAdmin,
  signOutEverywhere,
  takeSecondFactor,
} from './change.ts';
import { listMemberChanges, listMembers } from './list.ts';

/** Accounts as a super administrator keeps them. */
export function serveMembers(app: FastifyInstance, identity: IdentityContext): void {
  const guard = superAdminGuard(identity);
  const doing = (request: FastifyRequest, userId: number): Doing => ({
    actorId: callerOf(request).user.user_id,
    userId,
    log: request.log,
  });
  implement(app, guard, memberRoutes.listMembers, ({ query, request }) =>
    listMembers(identity, callerOf(request), query),
  );
  implement(app, guard, memberRoutes.listMemberChanges, ({ query }) => listMemberChanges(identity, query));
  implement(app, guard, memberRoutes.changeMemberRole, async ({ body, request }) => {
    const { user_id, role, ...typed } = body;
    await proveForSuperAdmin(identity, callerOf(request), { userId: user_id, role, typed, request });
    return changeRole(identity, role, doing(request, user_id));
  });
  implement(app, guard, memberRoutes.disableMember, ({ body, request }) =>
    disable(identity, body.is_disabled, doing(request, body.user_id)),
  );
  implement(app, guard, memberRoutes.signOutMember, ({ body, request }) =>
    signOutEverywhere(identity, doing(request, body.user_id)),
  );
  implement(app, guard, memberRoutes.removeMemberSecondFactor, ({ body, request }) =>
    takeSecondFactor(identity, doing(request, body.user_id)),
  );
  implement(app, guard, passwordRoutes.makePasswordLink, ({ body, request }) =>
    handLink(identity, doing(request, body.user_id)),
  );
}
