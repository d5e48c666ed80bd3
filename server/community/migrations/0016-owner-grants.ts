import { type Kysely, sql } from 'kysely';

/**
 * A publish token carries a grant by which identity is asked what its owner may do now. Tokens of before have none until
 * their owner looks at them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table publish_token add column owner_grant text`.execute(db);
}
