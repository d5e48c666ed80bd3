import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Users change and delete their own accounts, and other services are notified. */
export const accountChanges: Migration = {
  async up(db) {
    await sql`
      alter table account
        -- Signing in before then calls the deletion off.
        add column delete_at timestamptz,
        add column delete_plugins text check (delete_plugins in ('keep', 'remove')),
        -- Of the mails about it.
        add column delete_language text,
        -- The row stays for its number, which others refer to.
        add column deleted_at timestamptz`.execute(db);
    await sql`create index account_to_delete on account (delete_at) where delete_at is not null`.execute(db);
    // The new address; null for a link that verifies the current one.
    await sql`alter table address_link add column new_email text`.execute(db);
    // One row per account, its latest change; a lock makes ids follow the order of commits.
    await sql`
      create table account_change (
        id bigint generated always as identity primary key,
        user_id bigint not null unique references account on delete cascade,
        changed_at timestamptz not null
      )`.execute(db);
    await sql`create index enterprise_member_owner on enterprise_member (e_id) where is_owner`.execute(db);
  },
};
