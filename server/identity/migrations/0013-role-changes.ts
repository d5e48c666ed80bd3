import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Role changes, which other services poll to notify users. */
export const roleChanges: Migration = {
  async up(db) {
    // Written under a lock, so that ids follow the order of commits.
    await sql`
      create table role_change (
        id bigint generated always as identity primary key,
        user_id bigint not null references account on delete cascade,
        role smallint not null,
        changed_at timestamptz not null
      )`.execute(db);
    await sql`create index role_change_of_account on role_change (user_id)`.execute(db);
    await sql`create index role_change_by_age on role_change (changed_at)`.execute(db);
  },
};
