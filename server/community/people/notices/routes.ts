import type { FastifyInstance } from 'fastify';
import { BACKSTAGE_PAGE_SIZE, FOLLOW_NOTICE_KINDS } from '../../../../shared/constants.ts';
import { contract } from '../../../../shared/contract.ts';
import type { Language } from '../../../../shared/languages.ts';
import { noticeDataIn } from '../../../../shared/notice.ts';
import type { BodyOf, DataOf, QueryOf } from '../../../../shared/route.ts';
import type { Notice, noticeRoutes } from '../../../../shared/routes/notice.ts';
import { implement } from '../../../http/implement.ts';
import { languageOf } from '../../language.ts';
import { cutPage, decodeCursor, IdPlace } from '../../pages.ts';
import type { Db } from '../../schema.ts';
import { callerOf } from '../auth/caller.ts';
import {
  countUnread,
  markRead,
  type NoticeRow,
  readNoticeRows,
  readNoticesOff,
  setNoticesOff,
} from './store.ts';

/** Notices of users about their plugins, reports, tokens and role. */
export function noticesRoutes(app: FastifyInstance): void {
  const { db, clock: now } = app;
  implement(app, contract.listNotices, ({ query, request }) =>
    listNotices(db, query, { userId: callerOf(request).user_id, language: languageOf(request) }),
  );
  implement(app, contract.countNotices, async ({ request }) => ({
    unread_count: await countUnread(db, callerOf(request).user_id),
  }));
  implement(app, contract.readNotices, ({ body, request }) =>
    readNotices(db, body, { userId: callerOf(request).user_id, at: new Date(now()) }),
  );
  implement(app, contract.readNoticePreferences, ({ request }) =>
    preferencesOf(db, callerOf(request).user_id),
  );
  implement(app, contract.changeNoticePreferences, async ({ body, request }) => {
    const userId = callerOf(request).user_id;
    await setNoticesOff(db, { userId, kind: body.kind, isOff: !body.is_on });
    return preferencesOf(db, userId);
  });
}

type Routes = typeof noticeRoutes;

/**
 * A page of the user's notices, newest first.
 * @throws BAD_CURSOR
 */
async function listNotices(
  db: Db,
  { cursor, limit = BACKSTAGE_PAGE_SIZE }: QueryOf<Routes['listNotices']>,
  { userId, language }: { userId: number; language: Language },
): Promise<DataOf<Routes['listNotices']>> {
  const list = ['notices', userId];
  const [before] = cursor === undefined ? [] : decodeCursor(cursor, list, IdPlace);
  const found = await readNoticeRows(db, { userId, before, limit: limit + 1 });
  const { rows, next_cursor } = cutPage(found, limit, { list, placeOf: ({ id }) => [id] });
  return { next_cursor, notice_list: rows.map((row) => toNotice(row, language)) };
}

function toNotice({ id, kind, data, created_at, read_at }: NoticeRow, language: Language): Notice {
  return {
    id,
    kind,
    data: noticeDataIn(data, language),
    is_read: read_at !== null,
    created_at: created_at.toISOString(),
  };
}

async function preferencesOf(db: Db, userId: number): Promise<DataOf<Routes['readNoticePreferences']>> {
  const off = await readNoticesOff(db, userId);
  return { off_list: FOLLOW_NOTICE_KINDS.filter((kind) => off.includes(kind)) };
}

/** Marks a notice, or it and all older ones, as read. @returns the number of unread ones */
async function readNotices(
  db: Db,
  { id, and_older }: BodyOf<Routes['readNotices']>,
  { userId, at }: { userId: number; at: Date },
): Promise<DataOf<Routes['readNotices']>> {
  await markRead(db, { userId, id, andOlder: and_older === true, at });
  return { unread_count: await countUnread(db, userId) };
}
