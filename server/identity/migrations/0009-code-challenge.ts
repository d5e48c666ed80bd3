import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Binding of a code to its sign-in (RFC 7636); null for older rows and unbound codes. */
export const codeChallenge: Migration = {
  async up(db) {
    await sql`alter table authorization_code add column code_challenge text`.execute(db);
    await sql`alter table sign_in_challenge add column code_challenge text`.execute(db);
  },
};
