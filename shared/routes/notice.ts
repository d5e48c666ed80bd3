import { type Static, Type } from 'typebox';
import { FOLLOW_NOTICE_KINDS, NOTICE_KINDS, TEXT_LIMITS, WITHDRAWAL_REASONS } from '../constants.ts';
import {
  Cursor,
  Id,
  LanguageName,
  Nothing,
  Nullable,
  PluginKey,
  REQUIRED,
  TextsSchema,
  Timestamp,
} from '../entities/base.ts';
import { Role } from '../entities/user.ts';
import { paging } from '../paging.ts';
import { route } from '../route.ts';

/** Limit to the shown number of unread notices. */
export const UNREAD_MAX = 100;

export const NoticeKind = Type.Enum(NOTICE_KINDS, REQUIRED);
export type NoticeKind = Static<typeof NoticeKind>;

const Text = Type.Optional(Type.String({ maxLength: 2000 }));

/** Details of a notice; which ones are present depends on its kind. */
export const NoticeData = Type.Object(
  {
    plugin_key: Type.Optional(PluginKey),
    plugin_name: Text,
    /** Names by language; the calls for readers have one in `plugin_name` instead. */
    plugin_names: Type.Optional(TextsSchema(TEXT_LIMITS.name)),
    version: Text,
    /** Reason of a rejection, decision on a report, or warning to a publisher. */
    reason: Text,
    /** Of a withdrawal: why, and whether users must stop using it. */
    withdrawal: Type.Optional(Type.Enum(WITHDRAWAL_REASONS)),
    must_stop: Type.Optional(Type.Boolean()),
    /** Of a deprecated plugin, if it has one; the name as that of the plugin. */
    successor_key: Type.Optional(PluginKey),
    successor_name: Text,
    successor_names: Type.Optional(TextsSchema(TEXT_LIMITS.name)),
    /** Texts of either by language; the calls for readers have one in `reason` instead. */
    texts: Type.Optional(TextsSchema(TEXT_LIMITS.reason)),
    /** The rejection withdrew a public version. */
    was_public: Type.Optional(Type.Boolean()),
    /** What was reported, if not a plugin. */
    reported: Type.Optional(Type.Enum(['publisher', 'collection'])),
    /** A report was upheld. */
    is_upheld: Type.Optional(Type.Boolean()),
    role: Type.Optional(Role),
    /** Of a verified publisher: the domain whose proof is missing. */
    domain: Text,
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

const NoticePreferences = Type.Object({
  /** Kinds that the caller does not want. */
  off_list: Type.Array(Type.Enum(FOLLOW_NOTICE_KINDS)),
});

/** Notices about a user's plugins, reports, tokens and role. */
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
    summary: `Number of unread notices of the caller, up to ${UNREAD_MAX}; polled by open pages`,
    data: Unread,
  }),
  readNotices: route({
    service: 'community',
    method: 'PUT',
    path: '/api/cmt/notice/read',
    access: 'user',
    summary: 'Mark a notice, and optionally all older ones, as read; can be repeated',
    body: Type.Object({
      id: Id,
      /** Also all older ones. */
      and_older: Type.Optional(Type.Literal(true)),
    }),
    data: Unread,
  }),
  readNoticePreferences: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/notice/preferences',
    access: 'user',
    summary: 'Kinds of notices about what the caller follows that they have turned off',
    data: NoticePreferences,
  }),
  changeNoticePreferences: route({
    service: 'community',
    method: 'PUT',
    path: '/api/cmt/notice/preferences',
    access: 'user',
    summary: 'Turn a kind of notices about what the caller follows on or off; can be repeated',
    body: Type.Object({ kind: Type.Enum(FOLLOW_NOTICE_KINDS), is_on: Type.Boolean() }),
    data: NoticePreferences,
  }),
};

const MailPreferences = Type.Object({
  /** Whether this deployment sends mails. */
  is_mailing: Type.Boolean(),
  /** Kinds that the caller does not get by mail. */
  off_list: Type.Array(NoticeKind),
});

/** Mail settings for notices; only exists with our own identity service. */
export const mailPreferenceRoutes = {
  readMailPreferences: route({
    service: 'identity',
    method: 'GET',
    path: '/user/account/mails',
    access: 'user',
    summary: 'Kinds of notices that are mailed to the caller',
    data: MailPreferences,
  }),
  changeMailPreferences: route({
    service: 'identity',
    method: 'PUT',
    path: '/user/account/mails',
    access: 'user',
    summary: 'Turn mails for a kind of notices on or off, or set the language of mails',
    body: Type.Object({
      kind: Type.Optional(NoticeKind),
      /** Required with a kind. */
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
    summary: 'Unsubscribe from mails of one kind by the link in a mail',
    body: Type.Object({ token: Type.String({ minLength: 1, maxLength: 400 }) }),
    data: Nothing,
  }),
};
