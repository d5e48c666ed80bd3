import { Type } from 'typebox';
import { LoginMethod } from '../entities/user.ts';
import { route } from '../route.ts';

/** Parameters the login page is opened with (specification section 2). */
const loginParameters = {
  response_type: Type.Optional(Type.Union([Type.Literal('code'), Type.Literal('none')])),
  redirect_uri: Type.String({ minLength: 1, maxLength: 2048 }),
  from: Type.Optional(Type.String({ maxLength: 64 })),
  channel: Type.Optional(Type.String({ maxLength: 64 })),
  product: Type.Optional(Type.String({ maxLength: 64 })),
  ux_mode: Type.Optional(Type.Union([Type.Literal('redirect'), Type.Literal('popup'), Type.Literal('auth')])),
};

const Continue = Type.Object({
  /** Where the browser goes next: the redirect_uri with its one-time code. */
  continue_to: Type.String(),
});

/** What the sign-in page of our own identity service calls. */
export const signInRoutes = {
  readSignInOptions: route({
    service: 'identity',
    method: 'GET',
    path: '/user/page/options',
    access: 'all',
    summary: 'Sign-in methods on offer and password rules',
    data: Type.Object({
      methods: Type.Array(LoginMethod),
      sign_up: Type.Boolean(),
      password_min: Type.Integer(),
    }),
  }),
  signIn: route({
    service: 'identity',
    method: 'POST',
    path: '/user/page/sign_in',
    access: 'all',
    rateLimit: 'sign-in',
    summary: 'Sign in with an account and a password',
    body: Type.Object({
      account: Type.String({ minLength: 1, maxLength: 254 }),
      password: Type.String({ minLength: 1, maxLength: 200 }),
      ...loginParameters,
    }),
    data: Continue,
  }),
  signUp: route({
    service: 'identity',
    method: 'POST',
    path: '/user/page/sign_up',
    access: 'all',
    rateLimit: 'sign-in',
    summary: 'Make an account and sign in with it',
    body: Type.Object({
      email: Type.String({ minLength: 3, maxLength: 254, pattern: '^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$' }),
      nick_name: Type.String({ minLength: 1, maxLength: 40 }),
      password: Type.String({ minLength: 1, maxLength: 200 }),
      ...loginParameters,
    }),
    data: Continue,
  }),
};
