import { Type } from 'typebox';
import { Id, LanguageName, Nothing, Timestamp } from '../entities/base.ts';
import { route } from '../route.ts';

const Password = Type.String({ minLength: 1, maxLength: 200 });

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
      password: Password,
    }),
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
    body: Type.Object({ current_password: Password, password: Password }),
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
