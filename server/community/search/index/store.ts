import { sql } from 'kysely';
import { markNames } from '../../marks/store.ts';
import type { Db } from '../../schema.ts';
import type { Searchable, SearchDocument } from '../document.ts';

/** Locks plugins as everybody does who changes them, so that their search rows are made from what stays. */
export async function lockPlugins(trx: Db, pluginIds: readonly number[]): Promise<void> {
  await sql`select from plugin where id = any (${[...pluginIds]}::bigint[]) order by id for no key update`.execute(
    trx,
  );
}

/** Reads what the plugins' search rows are made from: texts in all languages, publisher, mark and tags. */
export async function readSearchable(
  db: Db,
  pluginIds: readonly number[],
): Promise<(Searchable & { plugin_id: number })[]> {
  const { rows } = await sql<Searchable & { plugin_id: number }>`
    select p.id as plugin_id, t.names, t.intros, coalesce(tags.ids, '{}') as tag_ids,
        publisher.nick_name as publisher, t.descriptions || coalesce(tags.names, '{}') || ${markNames(sql.ref('p.plugin_mark'))} as others
      from plugin p
      join person publisher on publisher.user_id = p.publisher_id
      cross join lateral (
        select array_agg(name) as names, array_agg(intro) as intros, array_agg(description) as descriptions
          from plugin_text where plugin_id = p.id
      ) t
      cross join lateral (
        select array_agg(distinct tag.id) as ids, array_agg(named.value) as names
          from plugin_tag pt join tag on tag.id = pt.tag_id, jsonb_each_text(tag.name) named
          where pt.plugin_id = p.id
      ) tags
      where p.id = any (${[...pluginIds]}::bigint[]) and t.names is not null`.execute(db);
  return rows;
}

/** Writes the search rows of plugins, replacing what was there. */
export async function writeSearchRows(
  db: Db,
  documents: readonly (SearchDocument & { plugin_id: number })[],
): Promise<void> {
  await sql`
    insert into plugin_search (plugin_id, name, headline, "full")
      select d.plugin_id, array_to_tsvector(d.name), array_to_tsvector(d.headline), array_to_tsvector(d."full")
        from jsonb_to_recordset(${JSON.stringify(documents)}::jsonb)
          as d (plugin_id bigint, name text[], headline text[], "full" text[])
      on conflict (plugin_id) do update
        set name = excluded.name, headline = excluded.headline, "full" = excluded."full"`.execute(db);
}
