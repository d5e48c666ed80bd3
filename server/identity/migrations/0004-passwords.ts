import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Links for setting a new password. */
export const passwords: Migration = {
  async up(db) {
    await sql`
      create table password_link (
        token_hash bytea primary key,
        user_id bigint not null references account on delete cascade,
        expires_at timestamptz not null
      )`.execute(db);
    await sql`create index password_link_of_account on password_link (user_id)`.execute(db);
    await sql`create index password_link_expiry on password_link (expires_at)`.execute(db);
  },
};
