import { type Kysely, sql } from 'kysely';

/**
 * A plugin without a cover gets a generated one. `generated_from` is the icon of that cover, '' for none; if it is null or not
 * the current icon, a cover must be generated.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table plugin
      add column generated_cover_key text references picture,
      add column generated_from text`.execute(db);
  await sql`
    create index plugin_by_generated_cover on plugin (generated_cover_key)
      where generated_cover_key is not null`.execute(db);
  await sql`
    create index plugin_without_cover on plugin (id)
      where cover_key is null and deleted_at is null
        and generated_from is distinct from coalesce(icon_key, '')`.execute(db);
}
