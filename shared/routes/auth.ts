import { Type } from 'typebox';
import { Nullable } from '../entities/base.ts';
import { SessionView, UserInfo } from '../entities/user.ts';
import { route } from '../route.ts';

/** The gateway's own calls (design section 4). None of them answers a token. */
export const authRoutes = {
  readSession: route({
    service: 'gateway',
    method: 'GET',
    path: '/api/auth/session',
    access: 'all',
    summary: 'The session of this browser; asking does not prolong it',
    data: SessionView,
  }),
  startLogin: route({
    service: 'gateway',
    method: 'GET',
    path: '/api/auth/login',
    access: 'all',
    file: true,
    rateLimit: 'sign-in',
    summary: 'Begins a sign-in and redirects to the login page',
    query: Type.Object({
      return_to: Type.Optional(Type.String({ maxLength: 2048 })),
      ux_mode: Type.Optional(
        Type.Union([Type.Literal('redirect'), Type.Literal('popup'), Type.Literal('auth')]),
      ),
      page: Type.Optional(Type.Literal('sign_up')),
    }),
  }),
  finishLogin: route({
    service: 'gateway',
    method: 'GET',
    path: '/api/auth/callback',
    access: 'all',
    file: true,
    rateLimit: 'code-exchange',
    summary: 'Where the login page returns to; exchanges the code on the server',
    query: Type.Object({
      nonce: Type.Optional(Type.String({ maxLength: 200 })),
      code: Type.Optional(Type.String({ maxLength: 2048 })),
    }),
  }),
  logout: route({
    service: 'gateway',
    method: 'POST',
    path: '/api/auth/logout',
    access: 'all',
    summary: 'Ends the session and answers where to go next',
    data: Type.Object({ redirect_url: Nullable(Type.String()) }),
  }),
  readUserInfo: route({
    service: 'gateway',
    method: 'GET',
    path: '/api/auth/userinfo',
    access: 'user',
    summary: 'The user info, freshly read',
    data: UserInfo,
  }),
};
