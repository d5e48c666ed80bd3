import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What enterprises are called; one without a name here has only its number. */
export const enterprises: Migration = {
  async up(db) {
    await sql`
      create table enterprise (
        e_id bigint primary key check (e_id > 0),
        name text not null check (name <> '')
      )`.execute(db);
  },
};
