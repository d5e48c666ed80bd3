import { sql } from 'kysely';

/** The queue of notice mails. */
export const mails = sql`
  create table notice_mail (
    id bigint generated always as identity primary key,
    key uuid not null unique,
    user_id bigint not null references account on delete cascade,
    kind text not null,
    data jsonb not null,
    created_at timestamptz not null,
    state text not null default 'waiting'
      check (state in ('waiting', 'handed_over', 'sent', 'uncertain', 'dropped')),
    tries integer not null default 0,
    next_try_at timestamptz not null,
    handed_over_at timestamptz
  );
  comment on column notice_mail.key is 'Makes a repeated request of the marketplace for the same mail harmless.';
  comment on column notice_mail.data is 'Values for the text of this kind.';
  comment on column notice_mail.state is
    'Handed over: the mail server may have it, so it is never sent again.';
  -- Mails that are due.
  create index notice_mail_waiting on notice_mail (next_try_at) where state = 'waiting';
  -- Mails whose result is unknown because the program ended.
  create index notice_mail_handed_over on notice_mail (handed_over_at) where state = 'handed_over';
  -- Old rows are deleted by age.
  create index notice_mail_by_age on notice_mail (created_at);
  -- Deleting an account deletes its mails.
  create index notice_mail_of_account on notice_mail (user_id);

  create table mail_opt_out (
    user_id bigint not null references account on delete cascade,
    kind text not null,
    created_at timestamptz not null,
    primary key (user_id, kind)
  );
  comment on table mail_opt_out is 'Kinds of mails that users do not want.';
`;
