import { sql } from 'kysely';
import type { Db } from '../../schema.ts';
import { noteNames } from '../japanese/store.ts';
import { markNames } from '../marks/store.ts';
import { documentOf, type Searchable } from './document.ts';
import { hasKanji } from './kana.ts';
import { type Filterable, propertiesOf } from './properties.ts';

/** Rows of the queue that one transaction indexes. */
const BATCH = 200;
/** Batches of one call: what an upgrade left in the queue must not delay other background work for minutes. */
const BATCHES_MAX = 20;

/** Indexes what was queued since the last call: submissions, and plugins whose publisher has a new name. */
export async function indexPending(db: Db): Promise<void> {
  for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
    const count = await db.transaction().execute(indexBatch);
    if (count < BATCH) return;
  }
}

/** Length of the queue. */
export async function countPending(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from search_pending`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Removes rows from the queue and indexes them; rows that another instance has locked are skipped. */
async function indexBatch(trx: Db): Promise<number> {
  const { rows } = await sql<{ plugin_id: number | null; submission_id: number | null }>`
    delete from search_pending where ctid = any (array(
      select ctid from search_pending limit ${BATCH} for update skip locked
    )) returning plugin_id, submission_id`.execute(trx);
  const distinct = (ids: readonly (number | null)[]) => [...new Set(ids.filter((id) => id !== null))];
  const pluginIds = distinct(rows.map((row) => row.plugin_id));
  const submissionIds = distinct(rows.map((row) => row.submission_id));
  if (pluginIds.length > 0) {
    await sql`select from plugin where id = any (${pluginIds}::bigint[]) order by id for no key update`.execute(
      trx,
    );
    await indexPlugins(trx, pluginIds);
  }
  if (submissionIds.length > 0) await indexSubmissions(trx, await lockSubmissions(trx, submissionIds));
  return rows.length;
}

/**
 * Locks submissions, so that none is decided while its words are written. Those that another transaction is changing are
 * queued again instead of waited for, which could be a deadlock.
 */
async function lockSubmissions(trx: Db, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with locked as materialized (
      select id from submission where id = any (${[...ids]}::bigint[]) for share skip locked
    ), queued as (
      insert into search_pending (submission_id)
        select id from submission where id = any (${[...ids]}::bigint[]) and id not in (select id from locked)
    )
    select id from locked`.execute(trx);
  return rows.map(({ id }) => id);
}

type PluginRow = Pick<Searchable, 'tag_ids' | 'publisher' | 'others'> &
  Filterable & {
    plugin_id: number;
    /** The Japanese name that was noted to be read, and how it is read. */
    noted_name: string | null;
    noted_readings: string[] | null;
  };

/**
 * Updates the search rows of plugins from their texts in all languages, publisher, mark, tags and published version. Call it
 * in the transaction that changed one of these.
 */
export async function indexPlugins(db: Db, pluginIds: readonly number[]): Promise<void> {
  const { rows } = await sql<PluginRow>`
    select p.id as plugin_id, p.updated_at, t.names, t.intros, t.descriptions, coalesce(tags.ids, '{}') as tag_ids,
        publisher.nick_name as publisher, publisher.verified_as is not null as is_verified,
        coalesce(tags.names, '{}') || ${markNames(sql.ref('p.plugin_mark'))} as others,
        noted.name as noted_name, noted.readings as noted_readings,
        (
          select jsonb_build_object('manifest', v.package_manifest, 'allowed_domains', v.allowed_domains,
              'host_range', v.host_range,
              'has_warnings', jsonb_path_exists(v.findings, '$[*] ? (@.severity == "warning")'))
            from plugin_version v
            where v.id = p.current_version_id and (v.package_key is not null or v.package_manifest is not null)
        ) as version
      from plugin p
      join person publisher on publisher.user_id = p.publisher_id
      left join japanese_name noted on noted.plugin_id = p.id
      cross join lateral (
        select jsonb_object_agg(lang, name) as names, jsonb_object_agg(lang, intro) as intros,
            jsonb_object_agg(lang, description) as descriptions
          from plugin_text where plugin_id = p.id
      ) t
      cross join lateral (
        select array_agg(distinct tag.id) as ids, array_agg(named.value) as names
          from plugin_tag pt join tag on tag.id = pt.tag_id, jsonb_each_text(tag.name) named
          where pt.plugin_id = p.id
      ) tags
      where p.id = any (${[...pluginIds]}::bigint[]) and t.names is not null`.execute(db);
  const renamed = rows.flatMap((row) => {
    const name = nameToRead(row);
    return name === row.noted_name ? [] : [{ plugin_id: row.plugin_id, name }];
  });
  if (renamed.length > 0) await noteNames(db, renamed);
  const documents = rows.map((row) => ({ plugin_id: row.plugin_id, ...documentOf(searchableOf(row)) }));
  await sql`
    insert into plugin_search (plugin_id, name, headline, "full", properties)
      select d.plugin_id, array_to_tsvector(d.name), array_to_tsvector(d.headline), array_to_tsvector(d."full"),
          d.properties
        from jsonb_to_recordset(${JSON.stringify(documents)}::jsonb)
          as d (plugin_id bigint, name text[], headline text[], "full" text[], properties text[])
      on conflict (plugin_id) do update
        set name = excluded.name, headline = excluded.headline, "full" = excluded."full",
            properties = excluded.properties`.execute(db);
}

/** The Japanese name if a dictionary has to read it. */
function nameToRead({ names: { 'ja-JP': name = '' } }: PluginRow): string | null {
  return hasKanji(name) ? name : null;
}

function searchableOf(row: PluginRow): Searchable {
  const isNoted = row.noted_name !== null && row.noted_name === nameToRead(row);
  return {
    ...row,
    names: Object.values(row.names),
    chinese_names: row.names['zh-CN'] === undefined ? [] : [row.names['zh-CN']],
    japanese_names: row.names['ja-JP'] === undefined ? [] : [row.names['ja-JP']],
    japanese_readings: (isNoted && row.noted_readings) || [],
    intros: Object.values(row.intros),
    properties: propertiesOf(row),
    others: [...Object.values(row.descriptions), ...row.others],
  };
}

/** Updates the search rows of locked submissions from the submitted listings. */
export async function indexSubmissions(db: Db, submissionIds: readonly number[]): Promise<void> {
  const { rows } = await sql<Searchable & { submission_id: number }>`
    select s.id as submission_id, publisher.nick_name as publisher, coalesce(tags.ids, '{}') as tag_ids,
        array(select value from jsonb_each_text(s.listing -> 'name')) as names,
        array(select value from jsonb_each_text(s.listing -> 'name') where key = 'zh-CN') as chinese_names,
        array(select value from jsonb_each_text(s.listing -> 'name') where key = 'ja-JP') as japanese_names,
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
  const documents = rows.map(({ submission_id, ...searchable }) => ({
    submission_id,
    words: documentOf(searchable).full,
  }));
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
