import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What people are shown of a sign-in elsewhere: before it is linked to their account, and in the list of those that are. */
export const linkedSignIns: Migration = {
  async up(db) {
    // Empty for what older instances write, until the next sign-in by it.
    await sql`
      alter table external_identity
        add column name text not null default '',
        add column email text not null default ''`.execute(db);
    // The address that a bind was led back to; null where it was led nowhere.
    await sql`
      alter table pending_bind
        add column name text not null default '',
        add column email text not null default '',
        add column avatar_url text not null default '',
        add column redirect_uri text`.execute(db);
  },
};
