import { Type } from 'typebox';
import { Id, Nullable } from '../entities/base.ts';
import { loginSource } from '../entities/sign-in.ts';
import { SessionView, UserInfo } from '../entities/user.ts';
import { route } from '../route.ts';

/** A third party in a path of the user service. */
const Source = Type.String({ pattern: '^(?!\\.{1,2}$)[A-Za-z0-9._-]{1,64}$' });

/** Proxied without changes, except that tokens are removed from responses: only the user service and its third parties know it. */
const Payload = Type.Record(Type.String(), Type.Unknown());

/** The gateway's own calls (R 8.18). None of them returns a token. */
export const authRoutes = {
  readSession: route({
    service: 'gateway',
    method: 'GET',
    path: '/api/auth/session',
    access: 'all',
    summary: 'The session of this browser; the call does not extend it',
    data: SessionView,
  }),
  startLogin: route({
    service: 'gateway',
    method: 'GET',
    path: '/api/auth/login',
    access: 'all',
    file: true,
    navigation: true,
    rateLimit: 'sign-in',
    summary: 'Start a sign-in and redirect to the login page',
    query: Type.Object({
      return_to: Type.Optional(Type.String({ maxLength: 2048 })),
      ux_mode: Type.Optional(
        Type.Union([Type.Literal('redirect'), Type.Literal('popup'), Type.Literal('auth')]),
      ),
      page: Type.Optional(Type.Literal('sign_up')),
      /** The page is inside a design tool: the session can do what the Client API can, and only there. Goes with `auth`. */
      embed: Type.Optional(Type.Literal('tool')),
      /** Asks a user who is signed in at the login service again, if that service supports it. */
      force: Type.Optional(Type.Literal('1')),
      ...loginSource,
      /** The user's folder in the document service; stored for the bind page. */
      txDocFolderId: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    }),
  }),
  finishLogin: route({
    service: 'gateway',
    method: 'GET',
    path: '/api/auth/callback',
    access: 'all',
    file: true,
    rateLimit: 'code-exchange',
    summary: 'Callback of the login page; exchanges the code on the server',
    query: Type.Object({
      nonce: Type.Optional(Type.String({ maxLength: 200 })),
      /** Replaces the nonce when users sign in with an OpenID Connect provider. */
      state: Type.Optional(Type.String({ maxLength: 200 })),
      code: Type.Optional(Type.String({ maxLength: 2048 })),
      /** The code is one of this app of the user service (`user/oauth2/login`). */
      app: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
      /** Replaces a code: the id of the binding that the user must complete first (R 2.20). */
      bind: Type.Optional(Type.String({ pattern: '^[\\w-]{1,200}$' })),
      /** Error instead of a code (RFC 6749 section 4.1.2.1). */
      error: Type.Optional(Type.String({ maxLength: 200 })),
      /** Ignores the code and restarts the sign-in. */
      force: Type.Optional(Type.Literal('1')),
      /** The request was repeated from this site. */
      again: Type.Optional(Type.Literal('1')),
    }),
  }),
  logout: route({
    service: 'gateway',
    method: 'POST',
    path: '/api/auth/logout',
    access: 'all',
    summary: 'End the session and return the next address',
    data: Type.Object({ redirect_url: Nullable(Type.String()) }),
  }),
  readUserInfo: route({
    service: 'gateway',
    method: 'GET',
    path: '/api/auth/userinfo',
    access: 'user',
    summary: 'The current user info',
    data: UserInfo,
  }),
};

/** Calls of a user service; they do not exist with an OpenID Connect provider. */
export const userServiceRoutes = {
  bindThirdParty: route({
    service: 'gateway',
    method: 'POST',
    path: '/api/auth/bind',
    access: 'user',
    rateLimit: 'sign-in',
    summary: 'Bind a third-party account; an error has the body of the user service',
    body: Payload,
    data: Payload,
  }),
  signInByThirdParty: route({
    service: 'gateway',
    method: 'POST',
    path: '/api/auth/third-party/{source}',
    access: 'all',
    rateLimit: 'sign-in',
    summary: 'Sign in with a third party; an error has the body of the user service',
    params: Type.Object({ source: Source }),
    body: Payload,
    data: Type.Object({
      /** Null if the user service requires another step first; `answer` then has its response. */
      session: Nullable(SessionView),
      answer: Payload,
    }),
  }),
  enterEnterprise: route({
    service: 'gateway',
    method: 'POST',
    path: '/api/auth/enterprise',
    access: 'user',
    summary: 'Switch to another enterprise, with new tokens',
    body: Type.Object({ e_id: Id }),
    data: SessionView,
  }),
  readLoginCode: route({
    service: 'gateway',
    method: 'GET',
    path: '/api/auth/login-code',
    access: 'user',
    summary:
      'Whether the user service returns a login code for this session; the code is not sent to the browser',
    data: Type.Object({
      issued: Type.Boolean(),
      /** Seconds, if the user service returns it. */
      expires_in: Nullable(Type.Integer()),
    }),
  }),
};
