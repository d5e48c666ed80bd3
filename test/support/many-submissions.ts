import { sql } from 'kysely';
import type { Db } from '../../server/community/schema.ts';
import { addUp } from '../../server/community/tally/store.ts';

/**
 * Hands in, and passes, every plugin that is there, and hands in a change of `waiting` of them that nobody has decided.
 * Their words are those of the plugins.
 */
export async function addManySubmissions(db: Db, waiting: number): Promise<void> {
  const listing = sql`jsonb_build_object(
    'default_lang', p.default_lang, 'name', texts.name, 'intro', texts.intro, 'description', texts.description,
    'tags', (select coalesce(jsonb_agg(tag.code order by tag.position), '[]')
      from plugin_tag pt join tag on tag.id = pt.tag_id where pt.plugin_id = p.id),
    'contact', 'maker@example.com', 'support', '', 'copyright', jsonb_build_object('kind', 'author', 'holder', ''),
    'plugin_mark', '', 'icon_key', null, 'cover_key', null, 'panel_key', null, 'media', '[]'::jsonb)`;
  const texts = sql`cross join lateral (
    select jsonb_object_agg(lang, name) as name, jsonb_object_agg(lang, intro) as intro,
        jsonb_object_agg(lang, description) as description
      from plugin_text where plugin_id = p.id
  ) texts`;
  await sql`
    insert into submission (plugin_id, plugin_version_id, brings_version, is_first, listing, audit_status,
        decided_at, decided_by, created_by, created_at)
      select p.id, p.current_version_id, true, true, ${listing}, 2, p.updated_at, 1, p.publisher_id, p.updated_at
        from plugin p ${texts}`.execute(db);
  await sql`
    with versions as (
      insert into plugin_version (plugin_id, version, note)
        select id, '2.0.0', '{"en-US":"Next"}' from plugin order by (id * 7919) % 100003 limit ${waiting}
        returning id, plugin_id
    )
    insert into submission (plugin_id, plugin_version_id, brings_version, is_first, listing, created_by, created_at)
      select p.id, v.id, true, false, ${listing}, p.publisher_id, p.updated_at + interval '90 days'
        from versions v join plugin p on p.id = v.plugin_id ${texts}`.execute(db);
  await sql`insert into submission_search
    select s.id, w."full" from submission s join plugin_search w on w.plugin_id = s.plugin_id`.execute(db);
  await sql`insert into waiting_search
    select w.* from submission_search w join submission s on s.id = w.submission_id where s.audit_status = 1`.execute(
    db,
  );
  await sql`truncate search_pending`.execute(db);
  await addUp(db);
  await sql`vacuum analyze`.execute(db);
}
