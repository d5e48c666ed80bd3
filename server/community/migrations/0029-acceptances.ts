import { type Kysely, sql } from 'kysely';

/**
 * An install accepts the permissions of a version. Older installs count as accepting the version that is published now, which
 * is stored per plugin, since there are far more installs.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table plugin_install add column accepted_version_id bigint;
    alter table plugin add column first_accepted_version_id bigint;
    update plugin set first_accepted_version_id = current_version_id where current_version_id is not null;
  `.execute(db);
}
