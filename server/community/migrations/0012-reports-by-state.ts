import { type Kysely, sql } from 'kysely';

/** Reports that were decided one way, in their order, however few they are among those decided the other way. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index report_by_state on report (state, decided_at desc, id desc) where state <> 'open';
  `.execute(db);
}
