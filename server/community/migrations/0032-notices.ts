import { type Kysely, sql } from 'kysely';

/** Notices to users about their submissions, reports and plugins. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table notice (
      id bigint generated always as identity primary key,
      user_id bigint not null,
      kind text not null,
      data jsonb not null,
      created_at timestamptz(3) not null,
      read_at timestamptz(3),
      -- By this the user service knows a mail that it was asked for; null once it has taken it.
      mail_key uuid default gen_random_uuid()
    );
    create index notice_by_user on notice (user_id, id desc);
    create index notice_unread on notice (user_id, id) where read_at is null;
    create index notice_by_age on notice (created_at);
    create index notice_to_mail on notice (id) where mail_key is not null;

    -- How often its owner was told that a token is about to end.
    alter table publish_token add column ending_told smallint not null default 0;
    create index publish_token_ending on publish_token (expires_at) where revoked_at is null;
  `.execute(db);
}
