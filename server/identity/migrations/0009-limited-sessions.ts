import { type Kysely, sql } from 'kysely';

/** Sessions of browsers may be limited to scopes too: those of pages inside a design tool. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    comment on column session.scope_list is 'All that the session may do; null for all that its user may.'`.execute(
    db,
  );
}
