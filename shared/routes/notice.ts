import { type Static, Type } from 'typebox';
import { NOTICE_KINDS } from '../constants.ts';
import {
  Cursor,
  Id,
  LanguageName,
  NEEDED,
  Nothing,
  Nullable,
  PluginKey,
  Timestamp,
} from '../entities/base.ts';
import { Role } from '../entities/user.ts';
import { paging } from '../paging.ts';
import { route } from '../route.ts';

/** Unread notices that are counted; more are that many. */
export const UNREAD_MAX = 100;

export const NoticeKind = Type.Enum(NOTICE_KINDS, NEEDED);
export type NoticeKind = Static<typeof NoticeKind>;

const Text = Type.Optional(Type.String({ maxLength: 2000 }));

/** What a notice tells beside its kind; which of it is there follows from the kind. */
export const NoticeData = Type.Object(
  {
    plugin_key: Type.Optional(PluginKey),
    plugin_name: Text,
    version: Text,
    /** Why a submission was rejected, what was decided of a report, or what a publisher is warned of, in words. */
    reason: Text,
    /** A rejection took something back that others had seen. */
    was_public: Type.Optional(Type.Boolean()),
    /** A report was upheld. */
    is_upheld: Type.Optional(Type.Boolean()),
    role: Type.Optional(Role),
    token_name: Text,
    ends_at: Type.Optional(Timestamp),
  },
  { 'x-partial': true },
);
export type NoticeData = Static<typeof NoticeData>;

export const Notice = Type.Object({
  id: Id,
  kind: NoticeKind,
  data: NoticeData,
  is_read: Type.Boolean(),
  created_at: Timestamp,
});
export type Notice = Static<typeof Notice>;

const Unread = Type.Object({ unread_count: Type.Integer({ minimum: 0, maximum: UNREAD_MAX }) });

/** What people are told of what became of their plugins, reports, tokens and role. */
export const noticeRoutes = {
  listNotices: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/notice/list',
    access: 'user',
    summary: "The caller's notices, newest first",
    query: Type.Object(paging),
    data: Type.Object({ next_cursor: Nullable(Cursor), notice_list: Type.Array(Notice) }),
  }),
  countNotices: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/notice/count',
    access: 'user',
    background: true,
    summary: `How many notices the caller has not read, up to ${UNREAD_MAX}; asked by open pages again and again`,
    data: Unread,
  }),
  readNotices: route({
    service: 'community',
    method: 'PUT',
    path: '/api/cmt/notice/read',
    access: 'user',
    summary: 'Mark a notice as read, and all older ones if that is asked for; harmless when repeated',
    body: Type.Object({
      id: Id,
      /** All that are older as well. */
      and_older: Type.Optional(Type.Literal(true)),
    }),
    data: Unread,
  }),
};

const MailPreferences = Type.Object({
  /** Whether this deployment sends mails at all. */
  is_mailing: Type.Boolean(),
  /** Kinds that are not mailed to the caller. */
  off_list: Type.Array(NoticeKind),
});

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
