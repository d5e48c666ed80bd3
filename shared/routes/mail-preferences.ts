import { type Static, Type } from 'typebox';
import { LanguageName, Nothing } from '../entities/base.ts';
import { NoticeKind } from '../entities/notice.ts';
import { route } from '../route.ts';

export const MailPreferences = Type.Object({
  /** Whether this deployment sends mails at all. */
  is_mailing: Type.Boolean(),
  /** Kinds that are not mailed to the caller. */
  off_list: Type.Array(NoticeKind),
});
export type MailPreferences = Static<typeof MailPreferences>;

/** Which notices are mailed, and in which language; there only where accounts are those of our own identity service. */
export const mailPreferenceRoutes = {
  readMailPreferences: route({
    service: 'identity',
    method: 'GET',
    path: '/user/account/mails',
    access: 'user',
    summary: 'Which notices are mailed to the caller',
    data: MailPreferences,
  }),
  changeMailPreferences: route({
    service: 'identity',
    method: 'PUT',
    path: '/user/account/mails',
    access: 'user',
    summary: 'Have notices of a kind mailed or not, or choose the language of mails',
    body: Type.Object({
      kind: Type.Optional(NoticeKind),
      /** Goes with a kind. */
      is_on: Type.Optional(Type.Boolean()),
      language: Type.Optional(LanguageName),
    }),
    data: MailPreferences,
  }),
  unsubscribe: route({
    service: 'identity',
    method: 'POST',
    path: '/user/account/mails/unsubscribe',
    access: 'all',
    summary: 'End mails of one kind by the link in one of them',
    body: Type.Object({ token: Type.String({ minLength: 1, maxLength: 400 }) }),
    data: Nothing,
  }),
};
