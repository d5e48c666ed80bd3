import { sql } from 'kysely';
import { type NoticeData, type NoticeKind, UNREAD_MAX } from '../../../shared/routes/notice.ts';
import type { Db } from '../schema.ts';

type NewNotice = { userId: number; kind: NoticeKind; data: NoticeData };

/** Tells people, in the transaction of what they are told of; nobody whose account is gone. */
export async function insertNotices(trx: Db, notices: readonly NewNotice[], at: Date): Promise<void> {
  if (notices.length === 0) return;
  const told = notices.map(({ userId, kind, data }) => ({ user_id: userId, kind, data }));
  await sql`
    insert into notice (user_id, kind, data, created_at)
      select n.user_id, n.kind, n.data, ${at}
        from jsonb_to_recordset(${JSON.stringify(told)}::jsonb) as n (user_id bigint, kind text, data jsonb)
        where not exists (select from person p where p.user_id = n.user_id and p.deleted_at is not null)`.execute(
    trx,
  );
}

export type NoticeRow = {
  id: number;
  kind: NoticeKind;
  data: NoticeData;
  created_at: Date;
  read_at: Date | null;
};

/** A person's notices, newest first; `before` is the id of the last row before. */
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

/** Unread notices of a person, up to `UNREAD_MAX`. */
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

/** Who handed something in, and whose plugin it is for. */
type SubmissionSubject = { plugin_key: string; version: string; publisher_id: number };

export async function readSubject(
  trx: Db,
  { pluginId, versionId }: { pluginId: number; versionId: number },
): Promise<SubmissionSubject> {
  const { rows } = await sql<SubmissionSubject>`
    select p.plugin_key, v.version, p.publisher_id from plugin p join plugin_version v on v.id = ${versionId}
      where p.id = ${pluginId}`.execute(trx);
  const [row] = rows;
  if (!row) throw new TypeError('there is no such plugin');
  return row;
}

type EndingToken = {
  user_id: number;
  name: string;
  plugin_key: string | null;
  expires_at: Date;
};

/**
 * Takes the tokens that end within a time and whose owners were told less often than `stage`; of several instances one
 * gets each. One that was made for a shorter time is left out: its owner knows.
 */
export async function takeEndingTokens(
  trx: Db,
  { stage, within, now, limit }: { stage: number; within: number; now: Date; limit: number },
): Promise<EndingToken[]> {
  const until = new Date(now.getTime() + within);
  const { rows } = await sql<EndingToken>`
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

/** Deletes what was read and is old, and what is very old. @returns how many, or how many there would be */
export async function deleteOldNotices(
  db: Db,
  { read, all, dryRun }: { read: Date; all: Date; dryRun: boolean },
): Promise<number> {
  const old = sql`notice where (created_at < ${read} and read_at is not null) or created_at < ${all}`;
  const { rows } = await sql<{ count: number }>`
    ${dryRun ? sql`select count(*) from ${old}` : sql`with gone as (delete from ${old} returning 1) select count(*) from gone`}`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/** A notice that the user service has not been asked to mail. */
type ToMail = Pick<NoticeRow, 'id' | 'kind' | 'data' | 'created_at'> & {
  user_id: number;
  mail_key: string;
};

export async function readToMail(db: Db, limit: number): Promise<ToMail[]> {
  const { rows } = await sql<ToMail>`
    select id, user_id, kind, data, created_at, mail_key from notice
      where mail_key is not null order by id limit ${limit}`.execute(db);
  return rows;
}

export async function setTaken(db: Db, ids: readonly number[]): Promise<void> {
  await sql`update notice set mail_key = null where id = any (${[...ids]}::bigint[])`.execute(db);
}
