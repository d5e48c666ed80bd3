import { sql } from 'kysely';
import { BASE_PATH } from '../../../shared/constants.ts';
import { insertBanner } from '../banners/store.ts';
import { insertWork, writeActivity } from '../featured/store.ts';
import { insertArticle, insertCategory } from '../help/store.ts';
import type { KeptPicture } from '../media/prepare-picture.ts';
import { insertPictures } from '../media/store.ts';
import type { Db } from '../schema.ts';
import type { Catalogue, DemoMark, DemoPlugin, DemoPublisher, DemoTag } from './catalogue.ts';

const MARKER = 'demo_catalogue';
const FIRST_TAGS = 'first_tags';
const FIRST_MARKS = 'first_marks';
/** Publishers of the demo stand far above the numbers that an identity service gives to real accounts. */
const FIRST_USER_ID = 9_000_000_000_000;
/** The administrator of the demo. */
export const DEMO_REVIEWER: DemoPublisher = { user_id: 9013, nick_name: 'Square Labs' };
/** Where featured works live: the community of the wider site (specification section 2). */
const WORKS_URL = '/community/home';
const HOME = 'zh-CN';

export function demoKey(slug: string): string {
  return `square-${slug}`;
}

export function demoUserId({ user_id }: Pick<DemoPublisher, 'user_id'>): number {
  return FIRST_USER_ID + user_id;
}

/** Whether a demo has been begun here, finished or not. */
export async function hasDemo(db: Db): Promise<boolean> {
  return (await readSettings(db, [MARKER])).length > 0;
}

export async function isUnfinished(db: Db): Promise<boolean> {
  return (await readSettings(db, [MARKER]))[0] === 'begun';
}

async function readSettings(db: Db, names: string[]): Promise<unknown[]> {
  const rows = await db.selectFrom('setting').select('value').where('name', 'in', names).execute();
  return rows.map(({ value }) => value);
}

export async function writeDemoState(db: Db, state: 'begun' | 'complete'): Promise<void> {
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

/** Whether this instance may publish the demo; asked and given back on one connection. */
export async function tryDemoLock(connection: Db): Promise<boolean> {
  const { rows } = await sql<{ mine: boolean }>`
    select pg_try_advisory_lock(hashtextextended('plugin-square demo', 0)) as mine`.execute(connection);
  return rows[0]?.mine ?? false;
}

export async function releaseDemoLock(connection: Db): Promise<void> {
  await sql`select pg_advisory_unlock(hashtextextended('plugin-square demo', 0))`.execute(connection);
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
  return (await readSettings(db, [FIRST_TAGS, MARKER])).length > 0;
}

/** Adds these tags where there are none; answers whether there were none. To be called in a transaction. */
export async function insertFirstTags(trx: Db, tags: readonly DemoTag[]): Promise<boolean> {
  const there = await trx.selectFrom('tag').select('id').limit(1).executeTakeFirst();
  if (!there) await insertTags(trx, tags);
  const value = JSON.stringify(there === undefined);
  await trx.insertInto('setting').values({ name: FIRST_TAGS, value }).execute();
  return there === undefined;
}

/** Whether this catalogue has been asked for its first marks. */
export async function hadFirstMarks(db: Db): Promise<boolean> {
  return (await readSettings(db, [FIRST_MARKS])).length > 0;
}

/** Adds these marks where there are none; to be called in a transaction. */
export async function insertFirstMarks(trx: Db, marks: readonly DemoMark[]): Promise<void> {
  const there = await trx.selectFrom('mark').select('id').limit(1).executeTakeFirst();
  if (!there) await insertMarks(trx, marks);
  const value = JSON.stringify(there === undefined);
  await trx.insertInto('setting').values({ name: FIRST_MARKS, value }).execute();
}

async function insertTags(trx: Db, tags: readonly DemoTag[]): Promise<void> {
  const rows = tags.map(({ code, name }, position) => ({ code, name: JSON.stringify(name), position }));
  await trx
    .insertInto('tag')
    .values(rows)
    .onConflict((conflict) => conflict.column('code').doNothing())
    .execute();
}

async function insertMarks(trx: Db, marks: readonly DemoMark[]): Promise<void> {
  const rows = marks.map(({ name, ...mark }, position) => ({
    ...mark,
    name: JSON.stringify(name),
    position,
  }));
  await trx
    .insertInto('mark')
    .values(rows)
    .onConflict((conflict) => conflict.column('code').doNothing())
    .execute();
}

/** Days before today that the demo's charts show. */
const HISTORY_DAYS = 90;

type SitePictures = { banners: KeptPicture[]; featured: KeptPicture[]; activity: KeptPicture };

/** Writes all of a catalogue but its plugins; to be called in a transaction. */
export async function insertSite(trx: Db, catalogue: Catalogue, pictures: SitePictures): Promise<void> {
  const { activity, banners, featured, help, marks, publishers, tags } = catalogue;
  const created_by = demoUserId(DEMO_REVIEWER);
  const people = publishers.map((publisher) => ({
    user_id: demoUserId(publisher),
    nick_name: publisher.nick_name,
  }));
  await trx.insertInto('person').values(people).execute();
  await insertTags(trx, tags);
  await insertMarks(trx, marks);
  await insertPictures(trx, [...pictures.banners, ...pictures.featured, pictures.activity]);
  for (const [index, { title, redirect }] of banners.entries()) {
    const redirect_url =
      'path' in redirect ? redirect.path : `${BASE_PATH}plugin/${demoKey(redirect.plugin)}`;
    const picture_key = pictures.banners[index]?.key;
    await insertBanner(trx, { redirect_url, title, default_lang: HOME, picture_key, created_by });
  }
  for (const [index, { id: _id, ...work }] of featured.entries()) {
    const picture_key = pictures.featured[index]?.key ?? '';
    const shown = { url: WORKS_URL, default_lang: HOME, is_hidden: false } as const;
    await insertWork(trx, { ...work, ...shown, picture_key });
  }
  const { view_num, participate_num, tutorial_url } = activity;
  const cover_key = pictures.activity.key;
  await writeActivity(trx, activity.activity_id, {
    view_num,
    participate_num,
    tutorial_url,
    cover_key,
    is_hidden: false,
  });
  const categories = new Map<string, number>();
  for (const { slug, name } of help.categories) {
    categories.set(slug, await insertCategory(trx, { name, default_lang: HOME }, created_by));
  }
  for (const { category, title, body } of help.articles) {
    const category_id = categories.get(category) ?? null;
    await insertArticle(
      trx,
      { category_id, title, body, default_lang: HOME, is_published: true },
      created_by,
    );
  }
}

/** A plugin of the demo as far as it has come; statuses by version. */
type KnownPlugin = {
  plugin_key: string;
  is_deleted: boolean;
  versions: Record<string, number>;
  /** Pictures and videos in its gallery. */
  media: number;
};

export async function readDemoPlugin(
  db: Db,
  { slug, publisher }: DemoPlugin,
): Promise<KnownPlugin | undefined> {
  const { rows } = await sql<KnownPlugin>`
    select p.plugin_key, p.deleted_at is not null as is_deleted,
        (select jsonb_object_agg(version, audit_status) from plugin_version where plugin_id = p.id) as versions,
        (select count(*)::int from plugin_media where plugin_id = p.id) as media
      from plugin p where p.external_id = ${slug} and p.publisher_id = ${demoUserId(publisher)}
      order by p.id limit 1`.execute(db);
  return rows[0];
}

/** Gives a plugin a key that people can read; those of others are drawn at random. */
export async function renamePlugin(db: Db, from: string, to: string): Promise<void> {
  if (from === to) return;
  await db.updateTable('plugin').set({ plugin_key: to }).where('plugin_key', '=', from).execute();
}

/**
 * Sets what a plugin of the demo has from its past, once: counts, figures of its days, its place among those recommended, and when its
 * reviews were noted in the trail.
 * @param position its place in the catalogue
 */
export async function finishPlugin(db: Db, plugin: DemoPlugin, position: number): Promise<void> {
  const { slug, likes, installs, views, recommended = false } = plugin;
  await sql`
    with counted as (
      update plugin_counter c set praise_count = ${likes}, install_count = ${installs}, view_count = ${views}
        from plugin p
        where p.plugin_key = ${demoKey(slug)} and c.plugin_id = p.id and p.is_visible and c.view_count < ${views}
        returning p.id
    ), history as (
      insert into figure_change (plugin_id, day, figure, delta)
        select counted.id, day, figure, greatest(1, round(total / 900.0 * swing * pace))
          from counted
          cross join (values ('installs', ${installs}::int), ('likes', ${likes}::int), ('views', ${views}::int))
            as figures (figure, total)
          cross join lateral (
            select day_of(now()) - ago as day, 1.3 - ago / 150.0 as swing,
                case when extract(isodow from day_of(now()) - ago) > 5 then 0.45 else 1 end
                  * (0.7 + abs(hashtext(${slug} || figure || ago)) % 100 / 160.0) as pace
              from generate_series(1, ${HISTORY_DAYS}) ago
          ) days
    ), recommended as (
      insert into recommendation (plugin_id, position) select id, ${position} from counted where ${recommended}
        on conflict do nothing
    )
    update audit_trail t set created_at = s.decided_at
      from submission s join counted on counted.id = s.plugin_id
      where t.target_kind = 'submission' and t.target_id = s.id::text`.execute(db);
}

/** True when a plugin has, or had, a slot. */
export async function hasSlot(db: Db, pluginKey: string): Promise<boolean> {
  const { rows } = await sql`
    select from resource_slot s join plugin p on p.id = s.plugin_id where p.plugin_key = ${pluginKey} limit 1`.execute(
    db,
  );
  return rows.length > 0;
}
