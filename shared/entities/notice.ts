import { type Static, Type } from 'typebox';
import { NOTICE_KINDS } from '../constants.ts';
import { Id, NEEDED, PluginKey, Timestamp } from './base.ts';
import { Role } from './user.ts';

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
