import { sql } from 'kysely';
import type { Catalogue } from '../demo/catalogue.ts';
import type { DemoHelp, DemoMark, DemoPlugin, DemoTag } from '../demo/catalogue-schema.ts';
import type { Db } from '../schema.ts';
import { indexPlugins } from '../search/index/index-plugins.ts';
import {
  articleRow,
  bannerRow,
  categoryRow,
  demoKey,
  markRow,
  personRow,
  pluginRow,
  submissionRow,
  tagRow,
  textRows,
  versionRows,
  workRow,
} from './rows.ts';

const MARKER = 'demo_catalogue';
const FIRST_TAGS = 'first_tags';
const FIRST_MARKS = 'first_marks';

/** How far the demo catalogue has come: after the rows its pictures, then what waits for review. */
const STATES = ['rows', 'pictures', 'complete'] as const;
export type DemoState = (typeof STATES)[number];

export async function readDemoState(db: Db): Promise<DemoState | undefined> {
  const row = await db.selectFrom('setting').select('value').where('name', '=', MARKER).executeTakeFirst();
  return STATES.find((state) => state === row?.value);
}

export async function writeDemoState(db: Db, state: DemoState): Promise<void> {
  const value = JSON.stringify(state);
  await db
    .insertInto('setting')
    .values({ name: MARKER, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/** Lets one instance at a time fill a catalogue; released with the transaction. */
export async function lockCatalogue(trx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('plugin-square demo catalogue', 0))`.execute(trx);
}

/** Whether this instance may finish the demo; asked and given back on one connection. */
export async function tryDemoLock(connection: Db): Promise<boolean> {
  const { rows } = await sql<{ mine: boolean }>`
    select pg_try_advisory_lock(hashtextextended('plugin-square demo pictures', 0)) as mine`.execute(
    connection,
  );
  return rows[0]?.mine ?? false;
}

export async function releaseDemoLock(connection: Db): Promise<void> {
  await sql`select pg_advisory_unlock(hashtextextended('plugin-square demo pictures', 0))`.execute(
    connection,
  );
}

/** Whether there is nothing but the tags that an empty catalogue begins with. */
export async function isCatalogueEmpty(db: Db, tags: readonly DemoTag[]): Promise<boolean> {
  const { rows } = await sql`
    select from plugin
      union all select from tag where code <> all (${tags.map(({ code }) => code)}::text[]) limit 1`.execute(
    db,
  );
  return rows.length === 0;
}

/** Whether this catalogue has been asked for its first tags, so that those somebody deletes stay deleted. */
export async function hadFirstTags(db: Db): Promise<boolean> {
  const { rows } = await sql`select from setting where name in (${FIRST_TAGS}, ${MARKER}) limit 1`.execute(
    db,
  );
  return rows.length > 0;
}

/** Adds these tags where there are none; answers whether there were none. To be called in a transaction. */
export async function insertFirstTags(trx: Db, tags: readonly DemoTag[]): Promise<boolean> {
  const there = await trx.selectFrom('tag').select('id').limit(1).executeTakeFirst();
  if (!there) await trx.insertInto('tag').values(tags.map(tagRow)).execute();
  await trx
    .insertInto('setting')
    .values({ name: FIRST_TAGS, value: JSON.stringify(there === undefined) })
    .execute();
  return there === undefined;
}

/** Whether this catalogue has been asked for its first marks. */
export async function hadFirstMarks(db: Db): Promise<boolean> {
  const { rows } = await sql`select from setting where name = ${FIRST_MARKS}`.execute(db);
  return rows.length > 0;
}

/** Adds these marks where there are none; to be called in a transaction. */
export async function insertFirstMarks(trx: Db, marks: readonly DemoMark[]): Promise<void> {
  const there = await trx.selectFrom('mark').select('id').limit(1).executeTakeFirst();
  if (!there) await trx.insertInto('mark').values(marks.map(markRow)).execute();
  const value = JSON.stringify(there === undefined);
  await trx.insertInto('setting').values({ name: FIRST_MARKS, value }).execute();
}

/** Writes every row of a catalogue but its pictures; to be called in a transaction. */
export async function insertCatalogue(trx: Db, catalogue: Catalogue, now: number): Promise<void> {
  const { activity, banners, featured, help, marks, plugins, publishers, tags } = catalogue;
  await trx.insertInto('person').values(publishers.map(personRow)).execute();
  await trx
    .insertInto('tag')
    .values(tags.map(tagRow))
    .onConflict((conflict) => conflict.column('code').doNothing())
    .execute();
  await trx
    .insertInto('mark')
    .values(marks.map(markRow))
    .onConflict((conflict) => conflict.column('code').doNothing())
    .execute();
  await insertPlugins(trx, plugins, now);
  await trx.insertInto('banner').values(banners.map(bannerRow)).execute();
  await trx.insertInto('featured_work').values(featured.map(workRow)).execute();
  const { activity_id: id, view_num, participate_num, tutorial_url } = activity;
  await trx.insertInto('activity').values({ id, view_num, participate_num, tutorial_url }).execute();
  await insertHelp(trx, help);
}

async function insertHelp(trx: Db, { categories, articles }: DemoHelp): Promise<void> {
  const made = await trx
    .insertInto('help_category')
    .values(categories.map(categoryRow))
    .returning(['id', 'position'])
    .execute();
  const ids = new Map(made.map(({ id, position }) => [categories[position]?.slug, id]));
  const rows = articles.map((article, position) => articleRow(article, position, ids.get(article.category)));
  await trx.insertInto('help_article').values(rows).execute();
}

async function insertPlugins(trx: Db, plugins: readonly DemoPlugin[], now: number): Promise<void> {
  const made = await trx
    .insertInto('plugin')
    .values(plugins.map((plugin, index) => pluginRow(plugin, index, now)))
    .returning(['id', 'plugin_key'])
    .execute();
  const ids = new Map(made.map(({ id, plugin_key }) => [plugin_key, id]));
  const placed = plugins.flatMap((plugin) => {
    const id = ids.get(demoKey(plugin.slug));
    return id === undefined ? [] : [{ id, plugin }];
  });
  await trx
    .insertInto('plugin_text')
    .values(placed.flatMap(({ id, plugin }) => textRows(plugin, id)))
    .execute();
  await trx
    .insertInto('plugin_version')
    .values(placed.flatMap(({ id, plugin }) => versionRows(plugin, id, now)))
    .execute();
  await insertTagsAndCounts(trx, placed);
  await insertRecommendations(trx, placed);
  await showNewestVersions(trx);
  await insertSubmissions(trx, placed, now);
  await indexPlugins(
    trx,
    placed.map(({ id }) => id),
  );
}

type Placed = { id: number; plugin: DemoPlugin };

async function insertTagsAndCounts(trx: Db, placed: readonly Placed[]): Promise<void> {
  const tags = placed.flatMap(({ id, plugin }) =>
    plugin.tags.map((code, position) => ({ id, code, position })),
  );
  await sql`
    insert into plugin_tag (plugin_id, tag_id, position)
      select t.id, tag.id, t.position
        from jsonb_to_recordset(${JSON.stringify(tags)}::jsonb) as t (id bigint, code text, position smallint)
        join tag using (code)`.execute(trx);
  const counts = placed.map(({ id, plugin: { likes, installs, views } }) => ({ id, likes, installs, views }));
  await sql`
    update plugin_counter c set praise_count = n.likes, install_count = n.installs, view_count = n.views
      from jsonb_to_recordset(${JSON.stringify(counts)}::jsonb)
        as n (id bigint, likes bigint, installs bigint, views bigint)
      where c.plugin_id = n.id`.execute(trx);
}

async function insertRecommendations(trx: Db, placed: readonly Placed[]): Promise<void> {
  const rows = placed
    .filter(({ plugin }) => plugin.recommended)
    .map(({ id }, position) => ({ plugin_id: id, position }));
  if (rows.length > 0) await trx.insertInto('recommendation').values(rows).execute();
}

/** Plugins appear in lists with this, when their texts, tags and counts are there. */
async function showNewestVersions(trx: Db): Promise<void> {
  await sql`
    update plugin p set current_version_id = newest.id
      from (
        select distinct on (plugin_id) id, plugin_id from plugin_version
          order by plugin_id, created_at desc, id desc
      ) newest
      where newest.plugin_id = p.id`.execute(trx);
}

/** What was handed in for every plugin, as if all of it had been reviewed. */
async function insertSubmissions(trx: Db, placed: readonly Placed[], now: number): Promise<void> {
  const current = await trx
    .selectFrom('plugin')
    .select(['id', 'current_version_id'])
    .where('current_version_id', 'is not', null)
    .execute();
  const versions = new Map(current.map(({ id, current_version_id }) => [id, current_version_id]));
  const rows = placed.flatMap(({ id, plugin }) => {
    const plugin_version_id = versions.get(id);
    return plugin_version_id ? [submissionRow(plugin, { plugin_id: id, plugin_version_id }, now)] : [];
  });
  await trx.insertInto('submission').values(rows).execute();
}
