import type { FastifyInstance } from 'fastify';
import { ownEnterpriseRoutes } from '../../../shared/routes/own-enterprise.ts';
import { implement } from '../../http/implement.ts';
import type { IdentityContext } from '../context.ts';
import { callerOf, userGuard } from '../sessions/caller.ts';
import { enterprisesOf } from './store.ts';

/** What users see of the enterprises they belong to. */
export function serveEnterprises(app: FastifyInstance, identity: IdentityContext): void {
  implement(app, userGuard(identity), ownEnterpriseRoutes.listOwnEnterprises, async ({ request }) => ({
    enterprises: await enterprisesOf(identity.db, callerOf(request).user.user_id),
  }));
}
