import { type Static, type TSchema, Type } from 'typebox';
import { LanguageName } from './entities/base.ts';
import { typedProof } from './entities/sign-in.ts';
import { LoginMethod, UserInfo } from './entities/user.ts';
import { accountRoutes } from './routes/account.ts';
import { ownBindRoutes } from './routes/linked-sign-in.ts';

/** Calls of the user service below IDENTITY_URL (R 14.43 to 14.53), with the bearer token that each requires. */
export type UserServiceCall = {
  method: 'GET' | 'POST';
  /** Relative to the user service's base, without a leading slash. */
  path: string;
  bearer: 'none' | 'access' | 'refresh';
  query?: TSchema;
  body?: TSchema;
  /**
   * A field of the payload, which may be in the body, in its `data`, or in the `data` of that: services differ
   * by call (R 14.43 to 14.53).
   */
  reads?: string;
};

export function call<const C extends UserServiceCall>(definition: C): C {
  return definition;
}

/** A code verifier (RFC 7636 section 4.1). */
const Verifier = Type.String({ pattern: '^[A-Za-z0-9._~-]{43,128}$' });

/**
 * A one-time code with the proof of the client that started the sign-in (RFC 6749 section 4.1.3,
 * RFC 7636 section 4.5). An external service may ignore the proof.
 */
const codeOfSignIn = {
  code: Type.String({ minLength: 1, maxLength: 2048 }),
  code_verifier: Type.Optional(Verifier),
  redirect_uri: Type.Optional(Type.String({ maxLength: 2048 })),
  /** Restricts the session (RFC 6749 section 3.3); without it, it may do all that its user may. */
  scope: Type.Optional(Type.String({ maxLength: 200 })),
};

/** A pending bind, as the gateway passes it on. */
const pendingBind = {
  id: Type.String({ minLength: 1, maxLength: 200 }),
  /** The callback that received the id; absent if the client sent it. */
  redirect_uri: Type.Optional(Type.String({ maxLength: 2048 })),
};

export const userServiceCalls = {
  validate: call({ method: 'GET', path: 'user/valid', bearer: 'refresh', reads: 'info' }),
  bind: call({
    method: 'POST',
    path: '3rd-party/bind',
    bearer: 'access',
    /** Parameters of the bind page (R 2.20); our own service also requires a proof. */
    body: Type.Object({
      ...pendingBind,
      ...typedProof,
      /** Language of the mail to the owner. */
      language: Type.Optional(LanguageName),
    }),
  }),
  /** These three calls only exist in our own identity service. */
  readBind: call({
    method: 'POST',
    path: '3rd-party/bind/read',
    bearer: 'access',
    body: Type.Object(pendingBind),
    reads: 'proof',
  }),
  beginBind: call({
    method: 'POST',
    path: '3rd-party/bind/begin',
    bearer: 'access',
    body: Type.Object({
      ...ownBindRoutes.beginBind.body.properties,
      /** The gateway's callback, with the nonce of the browser. */
      redirect_uri: Type.String({ minLength: 1, maxLength: 2048 }),
    }),
    reads: 'go_to',
  }),
  /** Returns new tokens with the new name and picture. */
  changeProfile: call({
    method: 'POST',
    path: 'user/profile',
    bearer: 'access',
    body: accountRoutes.changeProfile.body,
    reads: 'access_token',
  }),
  thirdPartyAuth: call({
    method: 'POST',
    path: '3rd-party/oauth2/{source}/auth',
    bearer: 'none',
    /** Parameters of the provider's callback, and the verifier of the challenge. */
    body: Type.Object({
      code: Type.String({ minLength: 1, maxLength: 2048 }),
      state: Type.String({ minLength: 1, maxLength: 200 }),
      verifier: Verifier,
      /** Issuer in the callback (RFC 9207). */
      iss: Type.Optional(Type.String({ maxLength: 2048 })),
    }),
    reads: 'access_token',
  }),
  loginCode: call({ method: 'GET', path: 'user/login/code', bearer: 'access', reads: 'code' }),
  exchangeCode: call({
    method: 'GET',
    path: 'user/login/code/user',
    bearer: 'none',
    query: Type.Object(codeOfSignIn),
    reads: 'access_token',
  }),
  exchangeOauth2Code: call({
    method: 'POST',
    path: 'user/oauth2/login',
    bearer: 'none',
    body: Type.Object({ app: Type.String({ maxLength: 200 }), ...codeOfSignIn }),
    reads: 'access_token',
  }),
  logout: call({ method: 'POST', path: 'user/logout', bearer: 'refresh' }),
  userInfo: call({ method: 'GET', path: 'user/userinfo', bearer: 'access', reads: 'user_id' }),
  refreshToken: call({
    method: 'POST',
    path: 'user/refresh_token',
    bearer: 'refresh',
    reads: 'access_token',
  }),
  resetToken: call({
    method: 'POST',
    path: 'user/reset_token',
    bearer: 'access',
    body: Type.Object({ e_id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) }),
    reads: 'access_token',
  }),
  privateConfig: call({ method: 'GET', path: 'config/private/standard/{product}', bearer: 'access' }),
};

/**
 * The form that renews the tokens of a client with a credential (RFC 6749 section 6): its Authorization header is the
 * client's, so that the token cannot be in it.
 */
export const RefreshForm = Type.Object({
  grant_type: Type.Literal('refresh_token'),
  refresh_token: Type.String({ minLength: 1, maxLength: 8192 }),
});

/** Response of a sign-in: user info with both tokens. It never leaves the gateway in this form. */
export const SignedInUser = Type.Object({
  ...UserInfo.properties,
  access_token: Type.String(),
  refresh_token: Type.String(),
  /** Lifetime of the refresh token in seconds; an external service may leave it out. */
  refresh_expires_in: Type.Optional(Type.Integer()),
  login_method: Type.Optional(LoginMethod),
  /** Identifies the device, so that it is not delayed when others guess passwords; only from our own service. */
  device_token: Type.Optional(Type.String()),
});
export type SignedInUser = Static<typeof SignedInUser>;

/**
 * Header in which the gateway sends a browser's device tokens to our identity service, comma-separated; a browser may have
 * tokens of several accounts.
 */
export const KNOWN_DEVICES_HEADER = 'x-known-devices';
export const KNOWN_DEVICES_MAX = 5;

/** Claims of the access token our identity service signs and our community service checks (RFC 9068). */
export const ACCESS_TOKEN_AUDIENCE = 'plugin-square';
export const ACCESS_TOKEN_ISSUER = 'plugin-square-identity';
/** Their type in the header, so that no other token that identity signs is accepted as an access token. */
export const ACCESS_TOKEN_TYPE = 'at+jwt';
/** Endpoint and event for ended sessions (OpenID Connect Back-Channel Logout 1.0). */
export const BACKCHANNEL_LOGOUT_PATH = '/api/auth/backchannel-logout';
export const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/**
 * Milliseconds by which the clock of another service may differ, for every token and assertion (R 10.25): two minutes and what
 * a slow answer takes.
 */
export const CLOCK_TOLERANCE = 150_000;

/** Endpoints of our authorization server for tools, which the gateway passes on. */
export const OAUTH_ENDPOINTS = [
  { method: 'GET', path: '/.well-known/openid-configuration' },
  { method: 'GET', path: '/.well-known/oauth-authorization-server' },
  { method: 'GET', path: '/oauth/authorize' },
  { method: 'GET', path: '/oauth/authorize/:uid' },
  { method: 'POST', path: '/oauth/token' },
  { method: 'POST', path: '/oauth/par' },
  { method: 'POST', path: '/oauth/revoke' },
  { method: 'POST', path: '/oauth/device_authorization' },
] as const;

/**
 * Cookies of a browser in which a tool asks for access. They have a path, so that `__Host-` is not possible: one is for the
 * user's answer, one for the way back to the tool.
 */
export function toolCookies(publicUrl: string): { interaction: string; resume: string } {
  const prefix = publicUrl.startsWith('https:') ? '__Secure-' : '';
  return { interaction: `${prefix}oauth-interaction`, resume: `${prefix}oauth-resume` };
}

/** Audience of the access tokens of tools: our API (RFC 8707). Their issuer is the site, not `ACCESS_TOKEN_ISSUER`. */
export function toolAudience(publicUrl: string): string {
  return `${publicUrl}/api/cmt`;
}

export const JWKS_PATH = '/.well-known/jwks.json';
