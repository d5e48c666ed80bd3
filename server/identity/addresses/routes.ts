import type { FastifyInstance } from 'fastify';
import { accountRoutes } from '../../../shared/routes/account.ts';
import { addressRoutes } from '../../../shared/routes/address.ts';
import { implement } from '../../http/implement.ts';
import type { IdentityContext } from '../context.ts';
import { callerOf, userGuard } from '../sessions/caller.ts';
import { askLink, askNewAddress, stateOf, verify } from './own-address.ts';

/** The e-mail address of a user's own account. */
export function serveOwnAddress(app: FastifyInstance, identity: IdentityContext): void {
  const guard = userGuard(identity);
  implement(app, guard, addressRoutes.readAddress, ({ request }) => stateOf(identity, callerOf(request)));
  implement(app, guard, addressRoutes.askAddressLink, ({ body, request }) =>
    askLink(identity, { user: callerOf(request).user, language: body.language, log: request.log }),
  );
  implement(app, guard, addressRoutes.verifyAddress, ({ body, request }) =>
    verify(identity, callerOf(request), { body, request }),
  );
  implement(app, guard, accountRoutes.askNewAddress, ({ body, request }) =>
    askNewAddress(identity, callerOf(request), { body, request }),
  );
}
