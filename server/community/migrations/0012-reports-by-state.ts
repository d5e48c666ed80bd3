import { type Kysely, sql } from 'kysely';

/** An index of reports by decision and order, which is fast even for a rare decision. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index report_by_state on report (state, decided_at desc, id desc) where state <> 'open';
  `.execute(db);
}
