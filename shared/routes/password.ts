import { type Static, Type } from 'typebox';
import { Id, LanguageName, Nothing, Nullable, Timestamp } from '../entities/base.ts';
import { TypedCode, TypedPassword } from '../entities/sign-in.ts';
import { route } from '../route.ts';
import { EndedSession } from './own-session.ts';

/** What somebody who has set a new password by a link should look at. */
export const AfterReset = Type.Object({
  /** Where the account was signed in until now, last active first. */
  ended_sessions: Type.Array(EndedSession),
  /** The second factor that stays; null where there is none. */
  second_factor: Nullable(
    Type.Object({
      since: Timestamp,
      recovery_codes_left: Type.Integer(),
      /** The deployment asks for it, so it stays on. */
      is_required: Type.Boolean(),
      /** With one of its codes this takes it away, for ten minutes. */
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
      'Have a link mailed by which a new password is set; the answer does not tell whether there is such an account',
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
    summary: 'Set a new password by a one-time link, which signs the account out everywhere',
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
    summary: 'Whether the account has a password here, and how long one must be',
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
  makePasswordLink: route({
    service: 'identity',
    method: 'POST',
    path: '/user/member/password_link',
    access: 'admin',
    summary: 'Make a one-time link by which a member sets a new password; shown this once',
    body: Type.Object({ user_id: Id }),
    data: Type.Object({ link: Type.String(), expires_at: Timestamp }),
  }),
};
