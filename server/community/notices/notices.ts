import { BACKSTAGE_PAGE_SIZE } from '../../../shared/constants.ts';
import type { Notice } from '../../../shared/entities/notice.ts';
import type { BodyOf, DataOf, QueryOf } from '../../../shared/route.ts';
import type { noticeRoutes } from '../../../shared/routes/notice.ts';
import { decodeCursor, encodeCursor, IdPlace } from '../plugins/list/cursor.ts';
import type { Db } from '../schema.ts';
import {
  countUnread,
  insertNotices,
  markRead,
  type NoticeRow,
  readNoticeRows,
  takeEndingTokens,
} from './store.ts';

type Routes = typeof noticeRoutes;

/**
 * A page of somebody's notices, newest first.
 * @throws BAD_CURSOR
 */
export async function listNotices(
  db: Db,
  { cursor, limit = BACKSTAGE_PAGE_SIZE }: QueryOf<Routes['listNotices']>,
  userId: number,
): Promise<DataOf<Routes['listNotices']>> {
  const list = ['notices', userId];
  const [before] = cursor === undefined ? [] : decodeCursor(cursor, list, IdPlace);
  const found = await readNoticeRows(db, { userId, before, limit: limit + 1 });
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  return {
    next_cursor: last ? encodeCursor([last.id], list) : null,
    notice_list: rows.map(toNotice),
  };
}

function toNotice({ id, kind, data, created_at, read_at }: NoticeRow): Notice {
  return { id, kind, data, is_read: read_at !== null, created_at: created_at.toISOString() };
}

/** Marks a notice, or it and all older ones, as read, and counts what is left. */
export async function readNotices(
  db: Db,
  { id, and_older }: BodyOf<Routes['readNotices']>,
  { userId, at }: { userId: number; at: Date },
): Promise<DataOf<Routes['readNotices']>> {
  await markRead(db, { userId, id, andOlder: and_older === true, at });
  return { unread_count: await countUnread(db, userId) };
}

const DAY = 24 * 60 * 60 * 1000;
/** How long before its end, milliseconds, the owner of a token is told, the first time and the second. */
const ENDING_WITHIN = [7 * DAY, DAY] as const;
const TOKENS_AT_ONCE = 100;

/** Tells the owners of publish tokens that are about to end, twice at most. @returns how many were told */
export async function tellOfEndingTokens(db: Db, now: () => number): Promise<number> {
  let told = 0;
  for (const [index, within] of [...ENDING_WITHIN.entries()].reverse()) {
    for (let count = TOKENS_AT_ONCE; count === TOKENS_AT_ONCE; told += count) {
      const at = new Date(now());
      count = await db.transaction().execute(async (trx) => {
        const wanted = { stage: index + 1, within, now: at, limit: TOKENS_AT_ONCE };
        const tokens = await takeEndingTokens(trx, wanted);
        const notices = tokens.map(({ user_id: userId, name, plugin_key, expires_at }) => ({
          userId,
          kind: 'token_ending' as const,
          data: {
            token_name: name,
            ends_at: expires_at.toISOString(),
            ...(plugin_key !== null && { plugin_key }),
          },
        }));
        await insertNotices(trx, notices, at);
        return tokens.length;
      });
    }
  }
  return told;
}
