import type { FastifyInstance } from 'fastify';
import { linkedSignInRoutes } from '../../../shared/routes/linked-sign-in.ts';
import { implement } from '../../http/implement.ts';
import type { IdentityContext } from '../context.ts';
import { userGuard, userOf } from '../sessions/user-guard.ts';
import { listLinked, removeLinked } from './linked-sign-ins.ts';

/** By which accounts elsewhere a person signs in, and unlinking them. */
export function serveLinkedSignIns(app: FastifyInstance, identity: IdentityContext): void {
  const guard = userGuard(identity);
  implement(app, guard, linkedSignInRoutes.listLinkedSignIns, ({ request }) =>
    listLinked(identity, userOf(request)),
  );
  implement(app, guard, linkedSignInRoutes.removeLinkedSignIn, ({ body, request }) =>
    removeLinked(identity, userOf(request), { body, request }),
  );
}
