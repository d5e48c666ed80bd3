import type { FastifyInstance } from 'fastify';
import { addressRoutes } from '../../../shared/routes/address.ts';
import { implement } from '../../http/implement.ts';
import type { IdentityContext } from '../context.ts';
import { userGuard, userOf } from '../sessions/user-guard.ts';
import { askLink, stateOf, verify } from './own-address.ts';

/** The e-mail address of a person's own account. */
export function serveOwnAddress(app: FastifyInstance, identity: IdentityContext): void {
  const guard = userGuard(identity);
  implement(app, guard, addressRoutes.readAddress, ({ request }) =>
    stateOf(identity, userOf(request).person),
  );
  implement(app, guard, addressRoutes.askAddressLink, ({ body, request }) =>
    askLink(identity, { person: userOf(request).person, language: body.language, log: request.log }),
  );
  implement(app, guard, addressRoutes.verifyAddress, ({ body, request }) =>
    verify(identity, { person: userOf(request).person, token: body.token, log: request.log }),
  );
}
