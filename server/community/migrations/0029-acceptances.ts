import { type Kysely, sql } from 'kysely';

/**
 * Installers have accepted what a version may reach. Those of before count as having accepted what is published now,
 * which is noted once a plugin: of installs there are far more.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table plugin_install add column accepted_version_id bigint;
    alter table plugin add column first_accepted_version_id bigint;
    update plugin set first_accepted_version_id = current_version_id where current_version_id is not null;
  `.execute(db);
}
