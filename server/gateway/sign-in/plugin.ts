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
    provider: Provider;
    /** The user service, for calls that other providers do not have; undefined with another provider. */
    userService: UserService | undefined;
    transactions: Transactions;
    pendingBinds: PendingBinds;
    knownDevices: KnownDevices;
    /** Whether the login page may be shown in a frame of this site. */
    loginFrame: () => Promise<boolean>;
    /** Whether users may sign up. */
    signUpOpen: () => Promise<boolean>;
  }
}

/** Sign-in and sign-out. */
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

/** The sign-in provider of the setting AUTH_PROVIDER. OpenID libraries are loaded only if they are used. */
export const provider = fp(
  async (app: FastifyInstance) => {
    const { auth } = app.gateway.config;
    if (auth.provider === 'user-service') {
      const userService = createUserService(app.upstreams.identity);
      app.decorate('userService', userService);
      app.decorate('provider', createUserServiceProvider(app, userService));
      return;
    }
    const { issuer, clientId, credentials, scope } = auth.oidc;
    if (!issuer || !clientId) throw new Error('an OpenID provider needs issuer and client');
    const { createOidcProvider } = await import('./oidc/provider.ts');
    app.decorate('userService', undefined);
    app.decorate('provider', createOidcProvider(app, { issuer, clientId, credentials, scope }));
  },
  { name: 'provider', dependencies: ['gateway', 'upstreams'] },
);
