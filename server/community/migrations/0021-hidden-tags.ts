import { type Kysely, sql } from 'kysely';

/** A hidden tag keeps its plugins but is not shown. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table tag add column is_hidden boolean not null default false`.execute(db);
}
