import type { FastifyInstance } from 'fastify';
import { userServiceCalls } from '../../../shared/user-service.ts';
import type { IdentityContext } from '../context.ts';
import { beginBind, bindPending, readBind } from '../federation/linking.ts';
import type { Logout, SignInMethod } from '../federation/method.ts';
import { signInByHandOver } from '../federation/third-party.ts';
import { answerAnyone, answerBearer } from './answer.ts';

/** Calls whose answer depends on what the deployment has set up (specification section 7). */
export function serveDeploymentCalls(app: FastifyInstance, identity: IdentityContext): void {
  answerBearer(app, identity, userServiceCalls.privateConfig, ({ session }) =>
    logoutEntries(identity.methods, session.source),
  );

  answerBearer(app, identity, userServiceCalls.beginBind, ({ user }, { body }) =>
    beginBind(identity, user, body),
  );
  answerBearer(app, identity, userServiceCalls.readBind, (caller, { body }) =>
    readBind(identity, caller, body),
  );
  answerBearer(app, identity, userServiceCalls.bind, async (caller, { body, request }) => {
    await bindPending(identity, caller, { body, request });
    return {};
  });

  answerAnyone(app, userServiceCalls.thirdPartyAuth, ({ params, body, request }) =>
    signInByHandOver(identity, params.source ?? '', body, request),
  );
}

/**
 * A '{method}-private' entry for each method with a sign-out of its own. Where a deployment has two of one method, the
 * one that the caller came by speaks for it.
 */
async function logoutEntries(
  methods: readonly SignInMethod[],
  source: string | null,
): Promise<Record<string, Logout>> {
  const ownLast = methods.toSorted((a, b) => Number(a.source === source) - Number(b.source === source));
  const entries: Record<string, Logout> = {};
  for (const { name, logout } of ownLast) {
    if (logout) entries[`${name}-private`] = await logout();
  }
  return entries;
}
