import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import type { JWTVerifyGetKey } from 'jose';
import { JWKS_PATH } from '../../../shared/user-service.ts';
import type { GatewayConfig } from '../options.ts';
import { createFetch } from '../upstream/fetch.ts';
import type { Upstream } from '../upstream/upstream.ts';
import type { Provider } from './provider.ts';
import { createUserService, type UserService } from './user-service.ts';
import { createUserServiceProvider } from './user-service-provider.ts';

type Means = {
  config: GatewayConfig;
  identity: Upstream;
  /** The sign-in service at one of its origins. */
  signInAt: (origin: string) => Upstream;
  log: FastifyBaseLogger;
  now: () => number;
};

type SignIn = { provider: Provider; userService: UserService | undefined };

/** Who signs people in, by the setting AUTH_PROVIDER. What only one of them needs is loaded only for it. */
const PROVIDERS: Readonly<Record<GatewayConfig['auth']['provider'], (means: Means) => Promise<SignIn>>> = {
  'user-service': async ({ config, identity, signInAt, log, now }) => {
    const userService = createUserService(identity);
    const keys = createKeys(identity, signInAt);
    return { userService, provider: createUserServiceProvider({ userService, config, keys, log, now }) };
  },
  oidc: async ({ config, signInAt, log, now }) => {
    const { issuer, clientId, clientSecret, scope } = config.auth.oidc;
    if (!issuer || !clientId || !clientSecret) throw new Error('an OpenID provider needs issuer and client');
    const { createConnection } = await import('./oidc/connection.ts');
    const { createOidcProvider } = await import('./oidc/provider.ts');
    const settings = { issuer, clientId, clientSecret, scope };
    const connection = createConnection(settings, createFetch(signInAt), log);
    const { publicUrl } = config;
    return {
      userService: undefined,
      provider: createOidcProvider({ settings, connection, publicUrl, log, now }),
    };
  },
};

export function createSignIn(means: Means): Promise<SignIn> {
  return PROVIDERS[means.config.auth.provider](means);
}

/** The user service's keys. They are asked for when sessions end from its side, and what that takes is loaded then. */
function createKeys(identity: Upstream, signInAt: Means['signInAt']): () => Promise<JWTVerifyGetKey> {
  let keys: Promise<JWTVerifyGetKey> | undefined;
  const open = async (): Promise<JWTVerifyGetKey> => {
    const { createRemoteJWKSet, customFetch } = await import('jose');
    return createRemoteJWKSet(new URL(identity.origin + identity.basePath + JWKS_PATH), {
      [customFetch]: createFetch(signInAt),
    });
  };
  return () => {
    keys ??= open();
    return keys;
  };
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Who signs people in. */
    provider: Provider;
    /** The user service, for calls that no other provider has; undefined where another one signs people in. */
    userService: UserService | undefined;
  }
}

export const provider = fp(
  async (app: FastifyInstance) => {
    const { gateway, signInAt, upstreams } = app;
    const { config, log, now } = gateway;
    const signIn = await createSignIn({ config, identity: upstreams.identity, signInAt, log, now });
    app.decorate('provider', signIn.provider);
    app.decorate('userService', signIn.userService);
  },
  { name: 'provider', dependencies: ['gateway', 'upstreams'] },
);
