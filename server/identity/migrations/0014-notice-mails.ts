import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Queue of notice mails, with the language and the opt-outs of users. */
export const noticeMails: Migration = {
  async up(db) {
    await sql`alter table account add column language text`.execute(db);
    await sql`
      create table notice_mail (
        id bigint generated always as identity primary key,
        -- By this the marketplace asks for it, once and again.
        key uuid not null unique,
        user_id bigint not null references account on delete cascade,
        kind text not null,
        data jsonb not null,
        created_at timestamptz not null,
        -- Handed over: the mail server may have it, so that it is never sent again.
        state text not null default 'waiting'
          check (state in ('waiting', 'handed_over', 'sent', 'uncertain', 'dropped')),
        tries integer not null default 0,
        next_try_at timestamptz not null,
        handed_over_at timestamptz
      )`.execute(db);
    await sql`create index notice_mail_waiting on notice_mail (next_try_at) where state = 'waiting'`.execute(
      db,
    );
    await sql`
      create index notice_mail_handed_over on notice_mail (handed_over_at) where state = 'handed_over'`.execute(
      db,
    );
    await sql`create index notice_mail_by_age on notice_mail (created_at)`.execute(db);
    await sql`create index notice_mail_of_account on notice_mail (user_id)`.execute(db);
    // Kinds of mails that users have opted out of.
    await sql`
      create table mail_opt_out (
        user_id bigint not null references account on delete cascade,
        kind text not null,
        created_at timestamptz not null,
        primary key (user_id, kind)
      )`.execute(db);
  },
};
