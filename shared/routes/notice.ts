import { Type } from 'typebox';
import { Cursor, Id, Nullable } from '../entities/base.ts';
import { Notice, UNREAD_MAX } from '../entities/notice.ts';
import { paging } from '../paging.ts';
import { route } from '../route.ts';

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
