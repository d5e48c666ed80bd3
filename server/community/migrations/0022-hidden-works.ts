import { type Kysely, sql } from 'kysely';

/** Administrators can hide works and the activity card without deleting them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table featured_work add column is_hidden boolean not null default false;
    alter table activity add column is_hidden boolean not null default false;
  `.execute(db);
}
