import { sql } from 'kysely';
import { markNames } from '../marks/store.ts';
import type { Db } from '../schema.ts';
import type { Searchable, SearchDocument } from './lexemes.ts';

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

/** Reads what the search rows of submissions are made from: the listings as they were submitted. */
export async function readSearchableSubmissions(
  db: Db,
  submissionIds: readonly number[],
): Promise<(Searchable & { submission_id: number })[]> {
  const { rows } = await sql<Searchable & { submission_id: number }>`
    select s.id as submission_id, publisher.nick_name as publisher, coalesce(tags.ids, '{}') as tag_ids,
        array(select value from jsonb_each_text(s.listing -> 'name')) as names,
        array(select value from jsonb_each_text(s.listing -> 'intro')) as intros,
        array(select value from jsonb_each_text(s.listing -> 'description'))
          || coalesce(tags.names, '{}') || ${markNames(sql`s.listing ->> 'plugin_mark'`)} as others
      from submission s
      join plugin p on p.id = s.plugin_id
      join person publisher on publisher.user_id = p.publisher_id
      cross join lateral (
        select array_agg(distinct tag.id) as ids, array_agg(named.value) as names
          from jsonb_array_elements_text(s.listing -> 'tags') code join tag on tag.code = code.value,
            jsonb_each_text(tag.name) named
      ) tags
      where s.id = any (${[...submissionIds]}::bigint[])
      order by s.id`.execute(db);
  return rows;
}

/**
 * Writes the search rows of submissions, replacing what was there. One that is decided at the same moment may stay among
 * the words of what waits; the list itself does not show it.
 */
export async function writeSubmissionWords(
  db: Db,
  documents: readonly { submission_id: number; words: string[] }[],
): Promise<void> {
  await sql`
    with documents as materialized (
      select d.submission_id, array_to_tsvector(d.words) as words
        from jsonb_to_recordset(${JSON.stringify(documents)}::jsonb) as d (submission_id bigint, words text[])
    ), waiting as (
      insert into waiting_search (submission_id, words)
        select d.submission_id, d.words from documents d join submission s on s.id = d.submission_id
          where s.audit_status = 1 and not s.is_superseded
        on conflict (submission_id) do update set words = excluded.words
    )
    insert into submission_search (submission_id, words) select submission_id, words from documents
      on conflict (submission_id) do update set words = excluded.words`.execute(db);
}

/** What waits to be indexed, by kind. */
type Pending = { plugin_id: number; submission_id: null } | { plugin_id: null; submission_id: number };

/** Takes a few off the list, passing over those that another instance is at. */
export async function takePending(trx: Db, limit: number): Promise<Pending[]> {
  const { rows } = await sql<Pending>`
    delete from search_pending where ctid = any (array(
      select ctid from search_pending limit ${limit} for update skip locked
    )) returning plugin_id, submission_id`.execute(trx);
  return rows;
}
