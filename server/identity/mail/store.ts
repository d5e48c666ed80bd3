import { sql } from 'kysely';
import type { Language } from '../../../shared/languages.ts';
import type { NoticeData, NoticeKind } from '../../../shared/routes/notice.ts';
import type { Account, IdentityDb } from '../schema.ts';

type NewNoticeMail = {
  key: string;
  user_id: number;
  kind: NoticeKind;
  data: NoticeData;
  created_at: Date;
};

/** Adds mails to the queue. Skips known keys and unknown users. */
export async function insertNoticeMails(
  db: IdentityDb,
  mails: readonly NewNoticeMail[],
  at: Date,
): Promise<void> {
  await sql`
    insert into notice_mail (key, user_id, kind, data, created_at, next_try_at)
      select m.key, m.user_id, m.kind, m.data, m.created_at, ${at}
        from jsonb_to_recordset(${JSON.stringify(mails)}::jsonb)
          as m (key uuid, user_id bigint, kind text, data jsonb, created_at timestamptz)
        join account using (user_id)
      on conflict (key) do nothing`.execute(db);
}

/** Mails of both queues that no mail server has accepted yet. */
export async function countWaitingMails(db: IdentityDb): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from notice_mail where state = 'waiting')
        + (select count(*) from account_mail where state = 'waiting') as count`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Queues of mails, with the same columns for their state. */
export type MailQueue = 'notice_mail' | 'account_mail';

/** An attempt of one instance; `tries` identifies it. */
export type Claim = { id: number; key: string; tries: number };
export type ClaimedMail = NewNoticeMail & Claim;
type ClaimedAccountMail = Claim & { sealed: string; expires_at: Date };

/** Claims the notice that has waited longest; no other instance gets it before `until`. */
export async function claimMail(db: IdentityDb, at: Date, until: Date): Promise<ClaimedMail | undefined> {
  const { rows } = await sql<ClaimedMail>`
    ${claimIn('notice_mail', at, until)} returning id, key, user_id, kind, data, created_at, tries`.execute(
    db,
  );
  return rows[0];
}

/** Claims the mail about an account that has waited longest. */
export async function claimAccountMail(
  db: IdentityDb,
  at: Date,
  until: Date,
): Promise<ClaimedAccountMail | undefined> {
  const { rows } = await sql<ClaimedAccountMail>`
    ${claimIn('account_mail', at, until)} returning id, key, tries, sealed, expires_at`.execute(db);
  return rows[0];
}

function claimIn(queue: MailQueue, at: Date, until: Date) {
  return sql`
    update ${sql.table(queue)} set tries = tries + 1, next_try_at = ${until}
      where id = (
        select id from ${sql.table(queue)} where state = 'waiting' and next_try_at <= ${at}
          order by next_try_at, id limit 1 for update skip locked
      )`;
}

/** Records, before the first byte, that the mail server may have the mail. @returns false when another attempt has started */
export async function markHandedOver(
  db: IdentityDb,
  queue: MailQueue,
  { id, tries }: Claim,
  at: Date,
): Promise<boolean> {
  const { rows } = await sql`
    update ${sql.table(queue)} set state = 'handed_over', handed_over_at = ${at}
      where id = ${id} and state = 'waiting' and tries = ${tries} returning id`.execute(db);
  return rows.length > 0;
}

/** Outcome of an attempt: final, or retried at a time; `isServerAway` if nobody else's mail would be accepted either. */
export type Outcome = 'sent' | 'uncertain' | 'dropped' | { retryAt: Date; isServerAway: boolean };

/** Stores the outcome of an attempt, unless another one has started. A finished mail about an account is deleted. */
export async function finishTry(
  db: IdentityDb,
  queue: MailQueue,
  { id, tries }: Claim,
  outcome: Outcome,
): Promise<void> {
  const isAttempt = sql`id = ${id} and tries = ${tries}`;
  if (typeof outcome === 'object') {
    await sql`
      update ${sql.table(queue)} set state = 'waiting', next_try_at = ${outcome.retryAt}
        where ${isAttempt} and state in ('waiting', 'handed_over')`.execute(db);
  } else if (queue === 'account_mail') {
    await sql`delete from account_mail where ${isAttempt}`.execute(db);
  } else {
    await sql`
      update notice_mail set state = ${outcome}
        where ${isAttempt} and state in ('waiting', 'handed_over', 'uncertain')`.execute(db);
  }
}

/** Ends handed-over mails of interrupted programs: the server may or may not have them. @returns their keys */
export async function markUncertain(db: IdentityDb, before: Date): Promise<{ key: string }[]> {
  const notices = await sql<{ key: string }>`
    update notice_mail set state = 'uncertain'
      where state = 'handed_over' and handed_over_at < ${before} returning key`.execute(db);
  const others = await sql<{ key: string }>`
    delete from account_mail where state = 'handed_over' and handed_over_at < ${before} returning key`.execute(
    db,
  );
  return [...notices.rows, ...others.rows];
}

type Recipient = Pick<Account, 'email' | 'language'>;

/** The recipient of a mail, with a verified address, unless they have opted out. */
export async function findRecipient(
  db: IdentityDb,
  { user_id, kind }: Pick<NewNoticeMail, 'user_id' | 'kind'>,
): Promise<Recipient | undefined> {
  return db
    .selectFrom('account')
    .select(['email', 'language'])
    .where('user_id', '=', user_id)
    .where('email_key', 'is not', null)
    .where('email_verified_at', 'is not', null)
    .where('disabled_at', 'is', null)
    .where('delete_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('mail_opt_out').select('kind').where('user_id', '=', user_id).where('kind', '=', kind),
        ),
      ),
    )
    .executeTakeFirst();
}

export async function setLanguage(db: IdentityDb, userId: number, language: Language): Promise<void> {
  await db.updateTable('account').set({ language }).where('user_id', '=', userId).execute();
}

/** Opts a user out of mails of a kind, or in again; ignores deleted accounts. */
export async function setOptOut(
  db: IdentityDb,
  { userId, kind, isOut, at }: { userId: number; kind: NoticeKind; isOut: boolean; at: Date },
): Promise<void> {
  if (isOut)
    await sql`
      insert into mail_opt_out (user_id, kind, created_at)
        select user_id, ${kind}, ${at}::timestamptz from account where user_id = ${userId} and deleted_at is null
        on conflict do nothing`.execute(db);
  else await db.deleteFrom('mail_opt_out').where('user_id', '=', userId).where('kind', '=', kind).execute();
}

/** Kinds of mails that a user has opted out of. */
export async function readOptOuts(db: IdentityDb, userId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('mail_opt_out')
    .select('kind')
    .where('user_id', '=', userId)
    .orderBy('kind')
    .execute();
  return rows.map(({ kind }) => kind);
}
