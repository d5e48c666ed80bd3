import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Names of enterprises; one without a name has only its id. */
export const enterprises: Migration = {
  async up(db) {
    await sql`
      create table enterprise (
        e_id bigint primary key check (e_id > 0),
        name text not null check (name <> '')
      )`.execute(db);
  },
};
