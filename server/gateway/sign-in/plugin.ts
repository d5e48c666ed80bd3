import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { backchannelLogout } from './backchannel-logout.ts';
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
import type { Provider } from './provider.ts';
import { sessionRoutes } from './session-routes.ts';
import { thirdPartyRoutes } from './third-party.ts';
import { createUserService, type UserService } from './user-service.ts';
import { createUserServiceProvider } from './user-service-provider.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Who signs people in. */
    provider: Provider;
    /** The user service, for calls that no other provider has; undefined where another one signs people in. */
    userService: UserService | undefined;
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
    app.decorate('transactions', createTransactions(app));
    app.decorate('pendingBinds', createPendingBinds(app));
    app.decorate('knownDevices', createKnownDevices(app));
    app.decorate('loginFrame', createLoginFrame(app));
    app.decorate('signUpOpen', createSignUpOpen(app));

    await app.register(loginRoutes);
    await app.register(sessionRoutes);
    await app.register(backchannelLogout);
    await app.register(thirdPartyRoutes);
  },
  { name: 'sign-in', dependencies: ['csrf', 'provider', 'rate-limit', 'session', 'shared', 'upstreams'] },
);

/** Who signs people in, by the setting AUTH_PROVIDER. What only one of them needs is loaded only for it. */
export const provider = fp(
  async (app: FastifyInstance) => {
    const { auth } = app.gateway.config;
    if (auth.provider === 'user-service') {
      const userService = createUserService(app.upstreams.identity);
      app.decorate('userService', userService);
      app.decorate('provider', createUserServiceProvider(app, userService));
      return;
    }
    const { issuer, clientId, clientSecret, scope } = auth.oidc;
    if (!issuer || !clientId || !clientSecret) throw new Error('an OpenID provider needs issuer and client');
    const { createOidcProvider } = await import('./oidc/provider.ts');
    app.decorate('userService', undefined);
    app.decorate('provider', createOidcProvider(app, { issuer, clientId, clientSecret, scope }));
  },
  { name: 'provider', dependencies: ['gateway', 'upstreams'] },
);
