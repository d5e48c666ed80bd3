import type { FastifyInstance, FastifyRequest } from 'fastify';
import { secondFactorRoutes } from '../../../shared/routes/second-factor.ts';
import { implement } from '../../http/implement.ts';
import type { IdentityContext } from '../context.ts';
import { callerOf, userGuard } from '../sessions/user-guard.ts';
import { begin, confirm, readState, remove, renew } from './own.ts';

/** The second factor as people keep it at their own account. */
export function serveSecondFactor(app: FastifyInstance, identity: IdentityContext): void {
  const guard = userGuard(identity);
  const doing = (request: FastifyRequest, typed: string) => ({
    caller: callerOf(request),
    typed,
    request,
  });
  implement(app, guard, secondFactorRoutes.readSecondFactor, ({ request }) =>
    readState(identity, callerOf(request)),
  );
  implement(app, guard, secondFactorRoutes.beginSecondFactor, ({ body, request }) =>
    begin(identity, { caller: callerOf(request), password: body.password, request }),
  );
  implement(app, guard, secondFactorRoutes.confirmSecondFactor, ({ body, request }) =>
    confirm(identity, doing(request, body.code)),
  );
  implement(app, guard, secondFactorRoutes.renewRecoveryCodes, ({ body, request }) =>
    renew(identity, doing(request, body.code)),
  );
  implement(app, guard, secondFactorRoutes.removeSecondFactor, ({ body, request }) =>
    remove(identity, doing(request, body.code)),
  );
}
