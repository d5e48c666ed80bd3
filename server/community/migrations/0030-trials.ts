import { type Kysely, sql } from 'kysely';

/** Publishers can try their unpublished plugins. Trials do not count as installs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table plugin_trial (
      user_id bigint not null,
      plugin_id bigint not null references plugin on delete cascade,
      created_at timestamptz(3) not null default now(),
      primary key (user_id, plugin_id)
    );
    create index plugin_trial_of_plugin on plugin_trial (plugin_id);
  `.execute(db);
}
