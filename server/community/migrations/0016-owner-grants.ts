import { type Kysely, sql } from 'kysely';

/**
 * A publish token has a grant, with which identity reports the current rights of its owner. Older tokens get one when their
 * owner opens the list of tokens.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table publish_token add column owner_grant text`.execute(db);
}
