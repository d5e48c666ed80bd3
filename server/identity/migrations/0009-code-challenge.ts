import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** To which sign-in a code is bound (RFC 7636); null for one that was begun before, or asked for without. */
export const codeChallenge: Migration = {
  async up(db) {
    await sql`alter table authorization_code add column code_challenge text`.execute(db);
    await sql`alter table sign_in_challenge add column code_challenge text`.execute(db);
  },
};
