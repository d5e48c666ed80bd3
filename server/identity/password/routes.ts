import type { FastifyInstance } from 'fastify';
import { passwordRoutes } from '../../../shared/routes/password.ts';
import { implement } from '../../http/implement.ts';
import { PASSWORD_MIN } from '../accounts/password-rules.ts';
import type { IdentityContext } from '../context.ts';
import { callerOf, userGuard } from '../sessions/user-guard.ts';
import { changePassword } from './change-password.ts';

/** A user's own password. */
export function serveOwnPassword(app: FastifyInstance, identity: IdentityContext): void {
  const guard = userGuard(identity);
  implement(app, guard, passwordRoutes.readPasswordState, ({ request }) => ({
    has_password: callerOf(request).user.password_hash !== null,
    password_min: PASSWORD_MIN,
  }));
  implement(app, guard, passwordRoutes.changePassword, changePassword(identity));
}
