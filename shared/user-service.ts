import { type Static, type TSchema, Type } from 'typebox';
import { LanguageName } from './entities/base.ts';
import { typedProof } from './entities/sign-in.ts';
import { LoginMethod, UserInfo } from './entities/user.ts';
import { accountRoutes } from './routes/account.ts';
import { ownBindRoutes } from './routes/linked-sign-in.ts';

/** The user service's calls below IDENTITY_URL (specification section 7) and the bearer each one wants. */
export type UserServiceCall = {
  method: 'GET' | 'POST';
  /** Relative to the user service's base, so without a leading slash. */
  path: string;
  bearer: 'none' | 'access' | 'refresh';
  query?: TSchema;
  body?: TSchema;
  /**
   * A field of the payload: services put it into the body, its `data`, or the `data` of that, and the specification names
   * each of these places for one call or another.
   */
  reads?: string;
};

export function call<const C extends UserServiceCall>(definition: C): C {
  return definition;
}

/** A code verifier (RFC 7636 section 4.1). */
const Verifier = Type.String({ pattern: '^[A-Za-z0-9._~-]{43,128}$' });

/**
 * A one-time code and, from who has begun its sign-in, what shows that it is of that one (RFC 6749 section 4.1.3,
 * RFC 7636 section 4.5). A foreign service reads the code alone, or what it knows to check.
 */
const codeOfSignIn = {
  code: Type.String({ minLength: 1, maxLength: 2048 }),
  code_verifier: Type.Optional(Verifier),
  redirect_uri: Type.Optional(Type.String({ maxLength: 2048 })),
};

/** A bind that waits, as the gateway hands it on. */
const pendingBind = {
  id: Type.String({ minLength: 1, maxLength: 200 }),
  /** The callback that the id has come to; without it where it was handed over. */
  redirect_uri: Type.Optional(Type.String({ maxLength: 2048 })),
};

export const userServiceCalls = {
  validate: call({ method: 'GET', path: 'user/valid', bearer: 'refresh', reads: 'info' }),
  bind: call({
    method: 'POST',
    path: '3rd-party/bind',
    bearer: 'access',
    /** What the bind page was opened with (specification section 2); our own service wants a proof as well. */
    body: Type.Object({
      ...pendingBind,
      ...typedProof,
      /** Language of the mail to the owner. */
      language: Type.Optional(LanguageName),
    }),
  }),
  /** These three are our own identity service's alone. */
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
      /** The gateway's callback, with the nonce of the browser that begins. */
      redirect_uri: Type.String({ minLength: 1, maxLength: 2048 }),
    }),
    reads: 'go_to',
  }),
  /** Answers new tokens, which say the new name and picture. */
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
    /** What the provider has sent the client back with, and the verifier of the challenge that it began with. */
    body: Type.Object({
      code: Type.String({ minLength: 1, maxLength: 2048 }),
      state: Type.String({ minLength: 1, maxLength: 200 }),
      verifier: Verifier,
      /** Where the provider names itself (RFC 9207). */
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

/** The sign-in answer: user info with both tokens among its fields. Never leaves the gateway in this form. */
export const SignedInUser = Type.Object({
  ...UserInfo.properties,
  access_token: Type.String(),
  refresh_token: Type.String(),
  /** Seconds for which the refresh token is good; our own service tells, a foreign one need not. */
  refresh_expires_in: Type.Optional(Type.Integer()),
  login_method: Type.Optional(LoginMethod),
  /** By this the device that signed in is known, and not delayed when others guess; our own service tells. */
  device_token: Type.Optional(Type.String()),
});
export type SignedInUser = Static<typeof SignedInUser>;

/**
 * Where the gateway tells our identity service which device tokens a browser has, comma-separated; one browser may be
 * that of several accounts.
 */
export const KNOWN_DEVICES_HEADER = 'x-known-devices';
export const KNOWN_DEVICES_MAX = 5;

/** Claims of the access token our identity service signs and our community service checks (RFC 9068). */
export const ACCESS_TOKEN_AUDIENCE = 'plugin-square';
export const ACCESS_TOKEN_ISSUER = 'plugin-square-identity';
/** Where a gateway is told of sessions that have ended, and by which event (OpenID Connect Back-Channel Logout 1.0). */
export const BACKCHANNEL_LOGOUT_PATH = '/api/auth/backchannel-logout';
export const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

export const JWKS_PATH = '/.well-known/jwks.json';
