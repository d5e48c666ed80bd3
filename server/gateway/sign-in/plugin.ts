import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { createKnownDevices, type KnownDevices } from '../session/known-devices.ts';
import { createPendingBinds } from './bind-cookie.ts';
import { exchangeCode } from './exchange-code.ts';
import { createLoginFrame } from './login-frame.ts';
import type { AuthParts } from './parts.ts';
import { registerAuth } from './routes.ts';
import { createSignUpOpen } from './sign-up-open.ts';
import { createTransactions } from './transaction.ts';

declare module 'fastify' {
  interface FastifyInstance {
    knownDevices: KnownDevices;
    /** Whether the login page may stand in a frame of this site. */
    loginFrame: () => boolean;
    /** Whether visitors may make accounts for themselves. */
    signUpOpen: () => Promise<boolean>;
    /** Begins a session by a code that no sign-in of ours has asked for; answers its Set-Cookie lines. */
    exchangeCode: (request: FastifyRequest, code: string) => Promise<string[]>;
  }
}

/** Signing in and out (design section 4). */
export const signIn = fp(
  async (app: FastifyInstance) => {
    const { gateway, provider, sessions, shared, signInAt, upstreams, userService } = app;
    const { config, keys, log, now, secure } = gateway;
    const devices = createKnownDevices({ keys, secure });
    const auth: AuthParts = {
      config,
      sessions,
      state: shared.state,
      transactions: createTransactions({ keys, secure, state: shared.state, now }),
      binds: createPendingBinds({ keys, secure, now }),
      devices,
      provider,
      userService,
      roleOf: app.roles.of,
      log,
      now,
    };
    app.decorate('knownDevices', devices);
    app.decorate('loginFrame', createLoginFrame({ config, provider, signInAt, log, now }));
    app.decorate('signUpOpen', createSignUpOpen({ config, identity: upstreams.identity, log, now }));
    app.decorate('exchangeCode', (request: FastifyRequest, code: string) =>
      exchangeCode(auth, request, { code, app: undefined, transaction: undefined }),
    );
    registerAuth(app, auth);
  },
  { name: 'sign-in', dependencies: ['csrf', 'provider', 'rate-limit', 'session', 'shared', 'upstreams'] },
);
