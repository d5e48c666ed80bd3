import { sql } from 'kysely';
import { type NoticeData, type NoticeKind, UNREAD_MAX } from '../../../../shared/routes/notice.ts';
import { type Names, nameIn } from '../../names.ts';
import type { Db } from '../../schema.ts';

type NewNotice = {
  userId: number;
  kind: NoticeKind;
  data: NoticeData;
  /** Whose action it is about: users know their own, so that theirs is read already. */
  actorId?: number;
};

/** The names of a notice's plugin: the reader's language is known only when it is shown or mailed. */
export function noticeNames(plugin: Names): Required<Pick<NoticeData, 'plugin_name' | 'plugin_names'>> {
  return { plugin_name: nameIn(plugin, plugin.default_lang), plugin_names: plugin.names };
}

/** Inserts notices in the transaction of their event; users whose account is deleted get none. */
export async function insertNotices(trx: Db, notices: readonly NewNotice[], at: Date): Promise<void> {
  if (notices.length === 0) return;
  const rows = notices.map(({ userId, kind, data, actorId }) => ({
    user_id: userId,
    kind,
    data,
    is_own: userId === actorId,
  }));
  await sql`
    insert into notice (user_id, kind, data, created_at, read_at)
      select n.user_id, n.kind, n.data, ${at}, case when n.is_own then ${at}::timestamptz end
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
          as n (user_id bigint, kind text, data jsonb, is_own boolean)
        where not exists (select from person p where p.user_id = n.user_id and p.deleted_at is not null)`.execute(
    trx,
  );
}

/** Tells who reported a publisher or a collection what was decided; which one it was, their list of reports says. */
export async function tellReporters(
  trx: Db,
  userIds: readonly number[],
  { reported, isUpheld }: { reported: 'publisher' | 'collection'; isUpheld: boolean },
  { actorId, at }: { actorId: number; at: Date },
): Promise<void> {
  const data = { reported, is_upheld: isUpheld };
  const notices = userIds.map((userId) => ({ userId, kind: 'report_decided' as const, data, actorId }));
  await insertNotices(trx, notices, at);
}

export type NoticeRow = {
  id: number;
  kind: NoticeKind;
  data: NoticeData;
  created_at: Date;
  read_at: Date | null;
};

/** A user's notices, newest first; `before` is the id of the last row of the page before. */
export async function readNoticeRows(
  db: Db,
  { userId, before, limit }: { userId: number; before: number | undefined; limit: number },
): Promise<NoticeRow[]> {
  const { rows } = await sql<NoticeRow>`
    select id, kind, data, created_at, read_at from notice
      where user_id = ${userId} ${before === undefined ? sql`` : sql`and id < ${before}`}
      order by id desc limit ${limit}`.execute(db);
  return rows;
}

/** Unread notices of a user, up to `UNREAD_MAX`. */
export async function countUnread(db: Db, userId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    /* prepared */ select count(*) from (
      select from notice where user_id = ${userId} and read_at is null limit ${UNREAD_MAX}
    ) unread`.execute(db);
  return rows[0]?.count ?? 0;
}

export async function markRead(
  db: Db,
  { userId, id, andOlder, at }: { userId: number; id: number; andOlder: boolean; at: Date },
): Promise<void> {
  await sql`
    update notice set read_at = ${at}
      where user_id = ${userId} and read_at is null and ${andOlder ? sql`id <= ${id}` : sql`id = ${id}`}`.execute(
    db,
  );
}

type ExpiringToken = {
  user_id: number;
  name: string;
  plugin_key: string | null;
  expires_at: Date;
};

/**
 * Marks and returns the tokens that expire within a time and whose owners have fewer than `stage` notices; of several
 * instances only one gets a token. Tokens created for a shorter time are left out, since their owners know.
 */
export async function markExpiringTokens(
  trx: Db,
  { stage, within, now, limit }: { stage: number; within: number; now: Date; limit: number },
): Promise<ExpiringToken[]> {
  const until = new Date(now.getTime() + within);
  const { rows } = await sql<ExpiringToken>`
    update publish_token t set ending_told = ${stage} from (
        select k.id, p.plugin_key from publish_token k left join plugin p on p.id = k.plugin_id
          where k.revoked_at is null and k.expires_at > ${now} and k.expires_at <= ${until}
            and k.expires_at - k.created_at > ${within} * interval '1 millisecond'
            and k.ending_told < ${stage} and p.deleted_at is null
          order by k.expires_at limit ${limit} for update of k skip locked
      ) ending
      where t.id = ending.id
      returning t.user_id, t.name, ending.plugin_key, t.expires_at`.execute(trx);
  return rows;
}

export async function readNoticesOff(db: Db, userId: number): Promise<string[]> {
  const { rows } = await sql<{ kind: string }>`
    select kind from notice_off where user_id = ${userId} order by kind`.execute(db);
  return rows.map(({ kind }) => kind);
}

export async function setNoticesOff(
  db: Db,
  { userId, kind, isOff }: { userId: number; kind: NoticeKind; isOff: boolean },
): Promise<void> {
  await (isOff
    ? sql`insert into notice_off (user_id, kind) values (${userId}, ${kind}) on conflict do nothing`
    : sql`delete from notice_off where user_id = ${userId} and kind = ${kind}`
  ).execute(db);
}

/** Deletes old notices that were read, and all very old ones. @returns their number, also with `dryRun` */
export async function deleteOldNotices(
  db: Db,
  { read, all, dryRun }: { read: Date; all: Date; dryRun: boolean },
): Promise<number> {
  const old = sql`notice where (created_at < ${read} and read_at is not null) or created_at < ${all}`;
  const { rows } = await sql<{ count: number }>`
    ${dryRun ? sql`select count(*) from ${old}` : sql`with deleted as (delete from ${old} returning 1) select count(*) from deleted`}`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/** A notice that has not been sent to the user service. */
type UnmailedNotice = Pick<NoticeRow, 'id' | 'kind' | 'data' | 'created_at'> & {
  user_id: number;
  mail_key: string;
};

export async function countUnmailed(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from notice where mail_key is not null`.execute(db);
  return rows[0]?.count ?? 0;
}

export async function readUnmailed(db: Db, limit: number): Promise<UnmailedNotice[]> {
  const { rows } = await sql<UnmailedNotice>`
    select id, user_id, kind, data, created_at, mail_key from notice
      where mail_key is not null order by id limit ${limit}`.execute(db);
  return rows;
}

export async function markMailed(db: Db, ids: readonly number[]): Promise<void> {
  await sql`update notice set mail_key = null where id = any (${[...ids]}::bigint[])`.execute(db);
}
