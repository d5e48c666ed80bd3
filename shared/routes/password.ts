import { type Static, Type } from 'typebox';
import { LanguageName, Nothing, Nullable, Timestamp } from '../entities/base.ts';
import { TypedCode, TypedPassword } from '../entities/sign-in.ts';
import { route } from '../route.ts';
import { EndedSession } from './own-session.ts';

/** Security information for a user who has reset the password by a link. */
export const AfterReset = Type.Object({
  /** The ended sessions of the account, last active first. */
  ended_sessions: Type.Array(EndedSession),
  /** The current second factor, or null. */
  second_factor: Nullable(
    Type.Object({
      since: Timestamp,
      recovery_codes_left: Type.Integer(),
      /** The deployment requires it, so it cannot be turned off. */
      is_required: Type.Boolean(),
      /** Token to turn it off with one of its codes, valid for ten minutes. */
      token: Type.String(),
    }),
  ),
});
export type AfterReset = Static<typeof AfterReset>;

/** Passwords of the accounts of our own identity service. */
export const passwordRoutes = {
  askPasswordReset: route({
    service: 'identity',
    method: 'POST',
    path: '/user/page/password_reset',
    access: 'all',
    rateLimit: 'sign-in',
    summary:
      'Mail a link for setting a new password; the response does not reveal whether the account exists',
    body: Type.Object({
      account: Type.String({ minLength: 1, maxLength: 254 }),
      /** Language of the mail. */
      language: LanguageName,
    }),
    data: Nothing,
  }),
  finishPasswordReset: route({
    service: 'identity',
    method: 'POST',
    path: '/user/page/password',
    access: 'all',
    rateLimit: 'sign-in',
    summary: 'Set a new password by a one-time link, which ends all sessions of the account',
    body: Type.Object({
      token: Type.String({ minLength: 1, maxLength: 128 }),
      password: TypedPassword,
    }),
    data: AfterReset,
  }),
  removeSecondFactorAfterReset: route({
    service: 'identity',
    method: 'POST',
    path: '/user/page/password/second_factor',
    access: 'all',
    rateLimit: 'sign-in',
    summary: 'Turn the second factor off after a new password was set by a link, with one of its codes',
    body: Type.Object({ token: Type.String({ minLength: 1, maxLength: 400 }), code: TypedCode }),
    data: Nothing,
  }),
  readPasswordState: route({
    service: 'identity',
    method: 'GET',
    path: '/user/account/password',
    access: 'user',
    summary: 'Whether the account has a password here, and its minimum length',
    data: Type.Object({ has_password: Type.Boolean(), password_min: Type.Integer() }),
  }),
  changePassword: route({
    service: 'identity',
    method: 'PUT',
    path: '/user/account/password',
    access: 'user',
    rateLimit: 'sign-in',
    summary: 'Change the own password, which signs out all other devices',
    body: Type.Object({ current_password: TypedPassword, password: TypedPassword }),
    data: Nothing,
  }),
};
