import type { FastifyBaseLogger } from 'fastify';
import { createRemoteJWKSet, customFetch } from 'jose';
import { JWKS_PATH } from '../../../shared/user-service.ts';
import type { GatewayConfig } from '../options.ts';
import { createFetch } from '../upstream/fetch.ts';
import type { Upstream } from '../upstream/upstream.ts';
import { createConnection } from './oidc/connection.ts';
import { createOidcProvider } from './oidc/provider.ts';
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

/** Who signs people in, by the setting AUTH_PROVIDER. */
const PROVIDERS: Readonly<Record<GatewayConfig['auth']['provider'], (means: Means) => SignIn>> = {
  'user-service': ({ config, identity, signInAt, log, now }) => {
    const userService = createUserService(identity);
    const keys = createRemoteJWKSet(new URL(identity.origin + identity.basePath + JWKS_PATH), {
      [customFetch]: createFetch(signInAt),
    });
    return { userService, provider: createUserServiceProvider({ userService, config, keys, log, now }) };
  },
  oidc: ({ config, signInAt, log, now }) => {
    const { issuer, clientId, clientSecret, scope } = config.auth.oidc;
    if (!issuer || !clientId || !clientSecret) throw new Error('an OpenID provider needs issuer and client');
    const settings = { issuer, clientId, clientSecret, scope };
    const connection = createConnection(settings, createFetch(signInAt), log);
    const { publicUrl } = config;
    return {
      userService: undefined,
      provider: createOidcProvider({ settings, connection, publicUrl, log, now }),
    };
  },
};

export function createSignIn(means: Means): SignIn {
  return PROVIDERS[means.config.auth.provider](means);
}
