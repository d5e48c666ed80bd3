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

export async function countWaitingMails(db: IdentityDb): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from notice_mail where state = 'waiting'`.execute(db);
  return rows[0]?.count ?? 0;
}

/** A mail that one instance is sending; `tries` identifies the attempt. */
export type ClaimedMail = NewNoticeMail & { id: number; tries: number };

/** Claims the mail that has waited longest; no other instance gets it before `until`. */
export async function claimMail(db: IdentityDb, at: Date, until: Date): Promise<ClaimedMail | undefined> {
  const { rows } = await sql<ClaimedMail>`
    update notice_mail set tries = tries + 1, next_try_at = ${until}
      where id = (
        select id from notice_mail where state = 'waiting' and next_try_at <= ${at}
          order by next_try_at, id limit 1 for update skip locked
      )
      returning id, key, user_id, kind, data, created_at, tries`.execute(db);
  return rows[0];
}

/** Records, before the first byte, that the mail server may have the mail. @returns false when another attempt has started */
export async function markHandedOver(db: IdentityDb, { id, tries }: ClaimedMail, at: Date): Promise<boolean> {
  const { rows } = await sql`
    update notice_mail set state = 'handed_over', handed_over_at = ${at}
      where id = ${id} and state = 'waiting' and tries = ${tries} returning id`.execute(db);
  return rows.length > 0;
}

/** Outcome of an attempt: final, or retried at a time. */
export type Outcome = 'sent' | 'uncertain' | 'dropped' | { retryAt: Date };

/** Stores the outcome of an attempt, unless another one has started. */
export async function finishTry(db: IdentityDb, { id, tries }: ClaimedMail, outcome: Outcome): Promise<void> {
  const state = typeof outcome === 'string' ? outcome : 'waiting';
  const retryAt = typeof outcome === 'string' ? null : outcome.retryAt;
  await sql`
    update notice_mail set state = ${state}, next_try_at = coalesce(${retryAt}::timestamptz, next_try_at)
      where id = ${id} and tries = ${tries} and state in ('waiting', 'handed_over', 'uncertain')`.execute(db);
}

/** Marks handed-over mails of interrupted programs: the server may or may not have them. @returns their keys */
export async function markUncertain(db: IdentityDb, before: Date): Promise<{ key: string }[]> {
  const { rows } = await sql<{ key: string }>`
    update notice_mail set state = 'uncertain'
      where state = 'handed_over' and handed_over_at < ${before} returning key`.execute(db);
  return rows;
}

/**
 * The recipient of a mail, unless they have opted out: the address is verified, or comes from a provider that the
 * deployment trusts for sign-in.
 */
type Recipient = Pick<Account, 'email' | 'language'>;

export async function findRecipient(
  db: IdentityDb,
  { user_id, kind }: Pick<NewNoticeMail, 'user_id' | 'kind'>,
): Promise<Recipient | undefined> {
  return db
    .selectFrom('account')
    .select(['email', 'language'])
    .where('user_id', '=', user_id)
    .where('email_key', 'is not', null)
    .where(({ eb, or, exists, selectFrom }) =>
      or([
        eb('email_verified_at', 'is not', null),
        exists(
          selectFrom('external_identity')
            .select('subject')
            .where('external_identity.user_id', '=', user_id)
            .whereRef('external_identity.email', '=', 'account.email'),
        ),
      ]),
    )
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
