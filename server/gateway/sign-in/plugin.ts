import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { tokenRoutes } from './account.ts';
import { backchannelLogout } from './backchannel-logout.ts';
import { bindRoutes } from './bind.ts';
import {
  createKnownDevices,
  createPendingBinds,
  createTransactions,
  type KnownDevices,
  type PendingBinds,
  type Transactions,
} from './cookies.ts';
import { loginRoutes } from './login.ts';
import { createLoginFrame, createSignUpOpen } from './login-page.ts';
import { sessionRoutes } from './session-routes.ts';
import { thirdPartyRoutes } from './third-party.ts';

declare module 'fastify' {
  interface FastifyInstance {
    transactions: Transactions;
    pendingBinds: PendingBinds;
    knownDevices: KnownDevices;
    /** Whether the login page may stand in a frame of this site. */
    loginFrame: () => Promise<boolean>;
    /** Whether people may make accounts for themselves. */
    signUpOpen: () => Promise<boolean>;
  }
}

/** Signing in and out (design section 4). */
export const signIn = fp(
  async (app: FastifyInstance) => {
    const { userService } = app;
    app.decorate('transactions', createTransactions(app));
    app.decorate('pendingBinds', createPendingBinds(app));
    app.decorate('knownDevices', createKnownDevices(app));
    app.decorate('loginFrame', createLoginFrame(app));
    app.decorate('signUpOpen', createSignUpOpen(app));

    await app.register(loginRoutes);
    await app.register(sessionRoutes);
    await app.register(backchannelLogout);
    if (!userService) return;
    await app.register(bindRoutes, { userService });
    await app.register(thirdPartyRoutes, { userService });
    await app.register(tokenRoutes, { userService });
  },
  { name: 'sign-in', dependencies: ['csrf', 'provider', 'rate-limit', 'session', 'shared', 'upstreams'] },
);
