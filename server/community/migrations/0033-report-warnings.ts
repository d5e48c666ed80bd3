import { type Kysely, sql } from 'kysely';

/** What the decision of a report told the publisher, and whether it hid the plugin, stays with the report. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table report
      add column warning text,
      add column is_hiding boolean not null default false`.execute(db);
}
