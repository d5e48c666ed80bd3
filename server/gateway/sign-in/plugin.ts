import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import type { GatewayConfig } from '../options.ts';
import { createFetch } from '../upstream/ask.ts';
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
import type { Provider } from './provider.ts';
import { sessionRoutes } from './session-routes.ts';
import { thirdPartyRoutes } from './third-party.ts';
import { createUserService, type UserService } from './user-service.ts';
import { createUserServiceProvider } from './user-service-provider.ts';

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

type SignIn = { provider: Provider; userService: UserService | undefined };

/** Who signs people in, by the setting AUTH_PROVIDER. What only one of them needs is loaded only for it. */
const PROVIDERS: Readonly<
  Record<GatewayConfig['auth']['provider'], (app: FastifyInstance) => Promise<SignIn>>
> = {
  'user-service': async (app) => {
    const userService = createUserService(app.upstreams.identity);
    return { userService, provider: createUserServiceProvider(app, userService) };
  },
  oidc: async ({ gateway, signInAt }) => {
    const { issuer, clientId, clientSecret, scope } = gateway.config.auth.oidc;
    if (!issuer || !clientId || !clientSecret) throw new Error('an OpenID provider needs issuer and client');
    const { createConnection } = await import('./oidc/connection.ts');
    const { createOidcProvider } = await import('./oidc/provider.ts');
    const settings = { issuer, clientId, clientSecret, scope };
    const connection = createConnection(settings, createFetch(signInAt), gateway.log);
    return { userService: undefined, provider: createOidcProvider(gateway, settings, connection) };
  },
};

export const provider = fp(
  async (app: FastifyInstance) => {
    const signIn = await PROVIDERS[app.gateway.config.auth.provider](app);
    app.decorate('provider', signIn.provider);
    app.decorate('userService', signIn.userService);
  },
  { name: 'provider', dependencies: ['gateway', 'upstreams'] },
);
