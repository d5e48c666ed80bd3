import type { FastifyInstance } from 'fastify';
import { accountRoutes } from '../../../shared/routes/account.ts';
import { accountCalls, userServiceCalls } from '../../../shared/user-service.ts';
import { implement } from '../../http/implement.ts';
import { answerAnyone, answerBearer } from '../calls/answer.ts';
import type { IdentityContext } from '../context.ts';
import { callerOf, userGuard } from '../sessions/caller.ts';
import { changeProfile, exportAccount, listAccountChanges } from './account.ts';
import { deleteAccount, readDeletion } from './deletion.ts';

/** A user's own account as a whole, and what other services are told of it. */
export function serveOwnAccount(app: FastifyInstance, identity: IdentityContext): void {
  const guard = userGuard(identity);
  implement(app, guard, accountRoutes.readDeletion, ({ request }) =>
    readDeletion(identity, callerOf(request)),
  );
  implement(app, guard, accountRoutes.deleteAccount, ({ body, request }) =>
    deleteAccount(identity, callerOf(request), { body, request }),
  );
  answerBearer(app, identity, userServiceCalls.changeProfile, (caller, { body }) =>
    changeProfile(identity, caller, body),
  );
  answerBearer(app, identity, accountCalls.export, (caller) => exportAccount(identity, caller));
  answerAnyone(app, accountCalls.changes, ({ body }) => listAccountChanges(identity, body));
}
