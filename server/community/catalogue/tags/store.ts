import { sql } from 'kysely';
import type { ManagedTag } from '../../../../shared/entities/backstage.ts';
import type { Texts } from '../../../../shared/languages.ts';
import type { NamedTag } from '../../../../shared/tags.ts';
import type { Db } from '../../schema.ts';

/** Reads all tags with the names that packages may use, including hidden tags. */
export async function readNamedTags(db: Db): Promise<(NamedTag & { is_hidden: boolean })[]> {
  const { rows } = await sql<NamedTag & { is_hidden: boolean }>`
    select code, is_hidden, array(select value from jsonb_each_text(name)) as names from tag order by position, id`.execute(
    db,
  );
  return rows;
}

export type Tag = Omit<ManagedTag, 'plugin_count'>;

/** Reads all tags in their order, including hidden ones. */
export async function readTags(db: Db): Promise<Tag[]> {
  return db
    .selectFrom('tag')
    .select(['id', 'code', 'name', 'intro', 'is_hidden'])
    .orderBy('position')
    .orderBy('id')
    .execute();
}

/** SQL for the plugins of a tag, including waiting submissions and excluding deleted plugins. */
function taggedPlugins({ id, code }: Pick<Tag, 'id' | 'code'>) {
  return sql`
    select pt.plugin_id from plugin_tag pt join plugin p on p.id = pt.plugin_id and p.deleted_at is null
        where pt.tag_id = ${id}
    union
    select s.plugin_id from submission s
        where s.audit_status = 1 and not s.is_superseded and s.listing -> 'tags' ? ${code}`;
}

/** Counts the plugins of a tag, as {@link readManagedTags} does for all. */
export async function countTagged(db: Db, tag: Pick<Tag, 'id' | 'code'>): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::integer as total from (${taggedPlugins(tag)}) tagged`.execute(db);
  return rows[0]?.total ?? 0;
}

/** True if a plugin or a waiting submission has the tag. */
export async function isTagUsed(db: Db, tag: Pick<Tag, 'id' | 'code'>): Promise<boolean> {
  const { rows } = await sql`select from (${taggedPlugins(tag)}) tagged limit 1`.execute(db);
  return rows.length > 0;
}

/**
 * Reads all tags in their order, each with its number of plugins, including waiting submissions and excluding deleted
 * plugins. Takes long in a large catalogue: not under a lock of the table.
 */
export async function readManagedTags(db: Db): Promise<ManagedTag[]> {
  const { rows } = await sql<ManagedTag>`
    with used as (
      select pt.tag_id, pt.plugin_id from plugin_tag pt join plugin p on p.id = pt.plugin_id and p.deleted_at is null
      union
      select tag.id, s.plugin_id from submission s
          cross join jsonb_array_elements_text(s.listing -> 'tags') code
          join tag on tag.code = code.value
        where s.audit_status = 1 and not s.is_superseded
    ), counted as (
      select tag_id, count(*) as plugin_count from used group by tag_id
    )
    select id, code, name, intro, is_hidden, coalesce(plugin_count, 0)::integer as plugin_count
      from tag left join counted on tag_id = id order by position, id`.execute(db);
  return rows;
}

/** Adds a tag after the others. @returns its id */
export async function insertTag(trx: Db, { code, name, intro, is_hidden }: Omit<Tag, 'id'>): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into tag (code, name, intro, is_hidden, position)
      select ${code}, ${JSON.stringify(name)}, ${JSON.stringify(intro)}, ${is_hidden}, coalesce(max(position) + 1, 0) from tag
      returning id`.execute(trx);
  const [row] = rows;
  if (!row) throw new Error('insert returned no id');
  return row.id;
}

export async function updateTag(trx: Db, { id, code, name, intro, is_hidden }: Tag): Promise<void> {
  await trx
    .updateTable('tag')
    .set({ code, name: JSON.stringify(name), intro: JSON.stringify(intro), is_hidden })
    .where('id', '=', id)
    .execute();
}

/** Moves the plugins of one tag to another; triggers update the lists. */
export async function movePlugins(trx: Db, { from, to }: { from: number; to: number }): Promise<void> {
  await sql`
    insert into plugin_tag (plugin_id, tag_id, position)
      select plugin_id, ${to}, position from plugin_tag where tag_id = ${from} order by plugin_id
      on conflict do nothing`.execute(trx);
}

/** Who follows one tag follows the other. */
export async function moveFollows(trx: Db, { from, to }: { from: number; to: number }): Promise<void> {
  await sql`
    insert into follow (user_id, tag_id, created_at)
      select user_id, ${to}, created_at from follow where tag_id = ${from} order by user_id
      on conflict do nothing`.execute(trx);
}

/** Replaces a tag's code in submissions, which refer to tags by code. */
export async function recodeSubmissions(trx: Db, { from, to }: { from: string; to: string }): Promise<void> {
  await sql`
    update submission s set listing = jsonb_set(s.listing, '{tags}', (
        select jsonb_agg(code order by place) from (
          select case value when ${from} then ${to}::text else value end as code, min(place) as place
            from jsonb_array_elements_text(s.listing -> 'tags') with ordinality as tagged (value, place)
            group by 1
        ) codes
      ))
      where s.listing -> 'tags' ? ${from}`.execute(trx);
}

/** Queues everything with a tag for indexing, since the index contains the tag's names. */
export async function reindexTagged(trx: Db, { id, code }: { id: number; code: string }): Promise<void> {
  await sql`
    insert into search_pending (plugin_id, submission_id)
      select plugin_id, null::bigint from plugin_tag where tag_id = ${id}
      union all select null, id from submission where listing -> 'tags' ? ${code}`.execute(trx);
}

export async function deleteTagRow(trx: Db, id: number): Promise<void> {
  await trx.deleteFrom('plugin_tag').where('tag_id', '=', id).execute();
  await trx.deleteFrom('tag').where('id', '=', id).execute();
}

/** True if any tag is visible. */
export async function hasTags(db: Db): Promise<boolean> {
  const { rows } = await sql`select from tag where not is_hidden limit 1`.execute(db);
  return rows.length > 0;
}

/** The introduction of a visible tag, by language. */
export async function readTagIntro(db: Db, id: number): Promise<Texts | undefined> {
  const { rows } = await sql<{
    intro: Texts;
  }>`select intro from tag where id = ${id} and not is_hidden`.execute(db);
  return rows[0]?.intro;
}

/** The most wanted plugins of all that are looked at for one tag. */
const WANTED_LOOKED_AT = 500;

/** Ids of plugins of a tag: the recommended ones in their order, then those that are wanted most now. */
export async function readTagFeaturedIds(db: Db, tagId: number, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from (
      (select r.plugin_id as id, 0 as part, row_number() over (order by r.position, r.plugin_id) as place
        from recommendation r
        where exists (select from plugin_listing l where l.tag_id = ${tagId} and l.plugin_id = r.plugin_id)
        order by r.position, r.plugin_id limit ${limit})
      union all
      (select w.plugin_id, 1, row_number() over (order by w.score desc, w.plugin_id desc)
        from (
          select plugin_id, score from plugin_trend where score > 0
            order by score desc, plugin_id desc limit ${WANTED_LOOKED_AT}
        ) w
        where exists (select from plugin_listing l where l.tag_id = ${tagId} and l.plugin_id = w.plugin_id))
    ) found
    group by id order by min(part), min(place) limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}
