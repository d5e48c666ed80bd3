import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import type { JWTVerifyGetKey } from 'jose';
import type { LoginSource } from '../../../shared/entities/login-source.ts';
import type { UserInfo } from '../../../shared/entities/user.ts';
import type { GatewayConfig } from '../options.ts';
import type { Session } from '../session/session.ts';
import { createFetch } from '../upstream/ask.ts';
import type { Transaction } from './cookies.ts';
import type { Tokens } from './tokens.ts';
import { createUserService, type UserService } from './user-service.ts';
import { createUserServiceProvider } from './user-service-provider.ts';

/** What the login page is to know beside the deployment's settings (specification section 2, "Login page"). */
export type LoginParams = LoginSource & {
  page?: 'sign_up';
  /** Users who are signed in are asked again (specification section 4). */
  force?: '1';
};

/** What a browser has brought back from the login page. */
export type Returned = {
  code: string;
  app: string | undefined;
  /** The whole address it came back to. */
  url: URL;
  /** Undefined for a code that nobody here has asked for. */
  transaction: Transaction | undefined;
};

/** A session that a sign-in begins, and by what the device is known there from now on. */
export type Redeemed = { session: Session; deviceToken?: string | undefined };

/** What asking for new tokens came to; `refused` means that the session is over. */
export type Renewal = { kind: 'renewed'; changes: Tokens & Partial<Session> } | { kind: 'refused' };

/** What asking whether a session still holds came to; `stale`: only its access token is refused. */
export type Validation = { kind: 'valid'; user: UserInfo } | { kind: 'refused' } | { kind: 'stale' };

/** By what a logout token of the provider is known (OpenID Connect Back-Channel Logout 1.0 section 2.6). */
export type LogoutTokenRules = { issuer: string; audience: string; keys: JWTVerifyGetKey };

/**
 * Who signs people in. Sessions, their refresh and the proxy know nothing else of it. Every call throws AppError
 * UPSTREAM_* when it got no usable answer.
 */
export type Provider = {
  /** Secrets that a sign-in keeps in its encrypted transaction until the browser is back. */
  secrets(): Record<string, string>;
  /** Where the browser goes to sign in, or to sign up. */
  loginUrl(transaction: Transaction, params: LoginParams): Promise<string>;
  /** A new session for a code. @throws AppError CODE_INVALID too */
  redeem(returned: Returned, headers: Record<string, string>): Promise<Redeemed>;
  renew(session: Session): Promise<Renewal>;
  validate(session: Session): Promise<Validation>;
  /** The user info as it is now. @throws AppError TOKEN_INVALID too */
  userInfo(session: Session): Promise<UserInfo>;
  /** Ends the session's tokens; answers where the browser must go to be signed out there too, if anywhere. */
  signOut(session: Session): Promise<string | null>;
  logoutTokenRules(): Promise<LogoutTokenRules>;
};

declare module 'fastify' {
  interface FastifyInstance {
    /** Who signs people in. */
    provider: Provider;
    /** The user service, for calls that no other provider has; undefined where another one signs people in. */
    userService: UserService | undefined;
  }
}

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
