import { type Kysely, sql } from 'kysely';

/** The queue of mails about accounts, such as sign-ups and new passwords. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table account_mail (
      id bigint generated always as identity primary key,
      key uuid not null unique default gen_random_uuid(),
      sealed text not null,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      state text not null default 'waiting' check (state in ('waiting', 'handed_over')),
      tries integer not null default 0,
      next_try_at timestamptz not null,
      handed_over_at timestamptz
    );
    comment on table account_mail is 'Mails about accounts until the mail server has them or refuses them for good.';
    comment on column account_mail.sealed is 'Address, kind, language, link and values, encrypted: the link is a secret.';
    comment on column account_mail.expires_at is 'When nobody needs the mail any more, as its link is too old.';
    comment on column account_mail.state is
      'Handed over: the mail server may have it, so it is never sent again.';
    -- Mails that are due.
    create index account_mail_waiting on account_mail (next_try_at) where state = 'waiting';
    -- Old rows are deleted by age.
    create index account_mail_by_age on account_mail (expires_at)`.execute(db);
}
