import type { FastifyInstance } from 'fastify';
import { userServiceCalls } from '../../../../shared/user-service.ts';
import { implementOpenCall } from '../../calls.ts';
import { implementBearerCall } from '../../sessions/bearer-call.ts';
import { beginBind, bindPending, readBind } from './linking.ts';
import type { Logout, SignInMethod } from './method.ts';
import { signInByHandOver } from './routes.ts';

/** Calls that depend on the sign-in methods of the deployment (R 14.44, R 14.45, R 14.53). */
export function serveDeploymentCalls(app: FastifyInstance): void {
  const { identity } = app;
  implementBearerCall(app, userServiceCalls.privateConfig, ({ session }) =>
    logoutEntries(identity.methods, session.source),
  );

  implementBearerCall(app, userServiceCalls.beginBind, ({ user }, { body }) =>
    beginBind(identity, user, body),
  );
  implementBearerCall(app, userServiceCalls.readBind, (caller, { body }) => readBind(identity, caller, body));
  implementBearerCall(app, userServiceCalls.bind, async (caller, { body, request }) => {
    await bindPending(identity, caller, { body, request });
    return {};
  });

  implementOpenCall(app, userServiceCalls.thirdPartyAuth, ({ params, body, request }) =>
    signInByHandOver(identity, params.source ?? '', body, request),
  );
}

/**
 * A '{method}-private' entry for each method with its own sign-out. Of several providers with one method, the caller's own
 * one is used.
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
