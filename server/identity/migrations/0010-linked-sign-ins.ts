import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Fields of external sign-ins that users see before linking, and in the list of linked ones. */
export const linkedSignIns: Migration = {
  async up(db) {
    // Empty in rows of older instances, until the next sign-in.
    await sql`
      alter table external_identity
        add column name text not null default '',
        add column email text not null default ''`.execute(db);
    // The callback of a bind; null without one.
    await sql`
      alter table pending_bind
        add column name text not null default '',
        add column email text not null default '',
        add column avatar_url text not null default '',
        add column redirect_uri text`.execute(db);
  },
};
