import { type Kysely, sql } from 'kysely';

/** Stores with a report what its decision told the publisher, and if it hid the plugin. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table report
      add column warning text,
      add column is_hiding boolean not null default false`.execute(db);
}
