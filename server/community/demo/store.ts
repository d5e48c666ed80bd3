import { sql } from 'kysely';
import { BASE_PATH } from '../../../shared/constants.ts';
import { tryWithLock } from '../../database/advisory-lock.ts';
import { insertBanner } from '../curation/banners/store.ts';
import { insertWork, writeActivity } from '../curation/featured/store.ts';
import type { StoredPicture } from '../files/media/pictures.ts';
import { insertPictures } from '../files/media/store.ts';
import { insertArticle, insertCategory } from '../help/store.ts';
import type { Db } from '../schema.ts';
import type { Catalogue, DemoHelp, DemoMark, DemoPlugin, DemoPublisher, DemoTag } from './catalogue.ts';

/** Names of settings that are written once. */
export type Setting = 'demo_catalogue' | 'first_tags' | 'first_marks' | 'first_articles';

/** User ids of the demo are far above those that an identity service assigns. */
const FIRST_USER_ID = 9_000_000_000_000;
/** The administrator of the demo. */
export const DEMO_REVIEWER: DemoPublisher = { user_id: 9013, nick_name: 'Square Labs' };
/** The page of featured works on the wider site (R 11.2). */
const WORKS_URL = '/community/home';
/** Days before today in the charts of the demo. */
const HISTORY_DAYS = 90;

export function demoKey(slug: string): string {
  return `square-${slug}`;
}

export function demoUserId({ user_id }: Pick<DemoPublisher, 'user_id'>): number {
  return FIRST_USER_ID + user_id;
}

/** @returns the value of the first of these settings that was written, else undefined */
export async function readSetting(db: Db, ...names: Setting[]): Promise<unknown> {
  const rows = db.selectFrom('setting').select('value').where('name', 'in', names);
  return (await rows.executeTakeFirst())?.value;
}

export async function writeSetting(db: Db, name: Setting, content: string | boolean): Promise<void> {
  const value = JSON.stringify(content);
  await db
    .insertInto('setting')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/** Lets one instance at a time fill a catalogue; released with the transaction. */
export async function lockCatalogue(trx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('plugin-square demo catalogue', 0))`.execute(trx);
}

/** Runs `work` unless another instance is publishing the demo. */
export async function withDemoLock(db: Db, work: () => Promise<void>): Promise<void> {
  await tryWithLock(db, 'plugin-square demo', work);
}

/** True without plugins and without other tags than those that a catalogue starts with. */
export async function isCatalogueEmpty(db: Db, tags: readonly DemoTag[]): Promise<boolean> {
  const { rows } = await sql`
    select from plugin
      union all select from tag where code <> all (${tags.map(({ code }) => code)}::text[]) limit 1`.execute(
    db,
  );
  return rows.length === 0;
}

export async function hasRows(db: Db, table: 'tag' | 'mark'): Promise<boolean> {
  const { rows } = await sql`select from ${sql.table(table)} limit 1`.execute(db);
  return rows.length > 0;
}

export async function insertTags(trx: Db, tags: readonly DemoTag[]): Promise<void> {
  const rows = tags.map(({ code, name }, position) => ({ code, name: JSON.stringify(name), position }));
  await trx
    .insertInto('tag')
    .values(rows)
    .onConflict((conflict) => conflict.column('code').doNothing())
    .execute();
}

export async function insertMarks(trx: Db, marks: readonly DemoMark[]): Promise<void> {
  const rows = marks.map((mark, position) => ({ ...mark, name: JSON.stringify(mark.name), position }));
  await trx
    .insertInto('mark')
    .values(rows)
    .onConflict((conflict) => conflict.column('code').doNothing())
    .execute();
}

type SitePictures = { banners: StoredPicture[]; featured: StoredPicture[]; activity: StoredPicture };

/** Inserts all of the demo except its plugins; to be called in a transaction. */
export async function insertSite(trx: Db, catalogue: Catalogue, pictures: SitePictures): Promise<void> {
  const { activity, banners, featured, marks, publishers, tags } = catalogue;
  const default_lang = 'zh-CN';
  const created_by = demoUserId(DEMO_REVIEWER);
  const users = publishers.map((publisher) => ({
    user_id: demoUserId(publisher),
    nick_name: publisher.nick_name,
  }));
  await trx.insertInto('person').values(users).execute();
  await insertTags(trx, tags);
  await insertMarks(trx, marks);
  await insertPictures(trx, [...pictures.banners, ...pictures.featured, pictures.activity]);
  for (const [index, { title, redirect }] of banners.entries()) {
    const redirect_url =
      'path' in redirect ? redirect.path : `${BASE_PATH}plugin/${demoKey(redirect.plugin)}`;
    const picture_key = pictures.banners[index]?.key;
    await insertBanner(trx, { redirect_url, title, default_lang, picture_key, created_by });
  }
  for (const [index, { id: _id, ...work }] of featured.entries()) {
    const picture_key = pictures.featured[index]?.key ?? '';
    await insertWork(trx, { ...work, url: WORKS_URL, default_lang, is_hidden: false, picture_key });
  }
  const { activity_id, title: _title, ...shown } = activity;
  await writeActivity(trx, activity_id, { ...shown, cover_key: pictures.activity.key, is_hidden: false });
}

/** True for a help center without content that never had any: its sequences have not given an id. */
export async function isHelpUnused(db: Db): Promise<boolean> {
  const { rows } = await sql<{ used: boolean }>`
    select coalesce(
      pg_sequence_last_value(pg_get_serial_sequence('help_category', 'id')::regclass),
      pg_sequence_last_value(pg_get_serial_sequence('help_article', 'id')::regclass)
    ) is not null or exists (select from help_category) or exists (select from help_article) as used`.execute(
    db,
  );
  return rows[0]?.used === false;
}

/** Inserts published articles without an author. */
export async function insertHelp(trx: Db, { categories, articles }: DemoHelp): Promise<void> {
  const default_lang = 'en-US';
  const ids = new Map<string, number>();
  for (const { slug, name } of categories) {
    ids.set(slug, await insertCategory(trx, { name, default_lang }, null));
  }
  for (const { category, ...texts } of articles) {
    const category_id = ids.get(category) ?? null;
    await insertArticle(trx, { ...texts, category_id, default_lang, is_published: true }, null);
  }
}

type PublishedPlugin = {
  plugin_key: string;
  is_deleted: boolean;
  /** Audit status by version. */
  versions: Record<string, number>;
  has_media: boolean;
};

/** Slugs of the plugins that have been submitted, deleted ones among them. */
export async function readKnownSlugs(db: Db, plugins: readonly DemoPlugin[]): Promise<ReadonlySet<string>> {
  const keys = plugins.map(({ slug }) => demoKey(slug));
  const rows = await db.selectFrom('plugin').select('plugin_key').where('plugin_key', 'in', keys).execute();
  const known = new Set(rows.map(({ plugin_key }) => plugin_key));
  return new Set(plugins.map(({ slug }) => slug).filter((slug) => known.has(demoKey(slug))));
}

/** Finds a plugin of the demo that has been submitted before. */
export async function findDemoPlugin(
  db: Db,
  { slug, publisher }: DemoPlugin,
): Promise<PublishedPlugin | undefined> {
  const { rows } = await sql<PublishedPlugin>`
    select p.plugin_key, p.deleted_at is not null as is_deleted,
        (select jsonb_object_agg(version, audit_status) from plugin_version where plugin_id = p.id) as versions,
        exists (select from plugin_media where plugin_id = p.id) as has_media
      from plugin p where p.external_id = ${slug} and p.publisher_id = ${demoUserId(publisher)}
      order by p.id limit 1`.execute(db);
  return rows[0];
}

/** The waiting submission of a plugin and its version. */
export async function findWaiting(
  db: Db,
  pluginKey: string,
): Promise<{ submission_id: number; version: string } | undefined> {
  const { rows } = await sql<{ submission_id: number; version: string }>`
    select s.id as submission_id, v.version from submission s
      join plugin p on p.id = s.plugin_id join plugin_version v on v.id = s.plugin_version_id
      where p.plugin_key = ${pluginKey} and s.audit_status = 1 and not s.is_superseded`.execute(db);
  return rows[0];
}

/** Replaces the random key of a new plugin by a readable one. */
export async function renamePlugin(db: Db, from: string, to: string): Promise<void> {
  if (from === to) return;
  await db.updateTable('plugin').set({ plugin_key: to }).where('plugin_key', '=', from).execute();
}

/**
 * Writes the past of a plugin once: its counters, its daily statistics, its recommendation, and the time of its reviews in
 * the audit trail.
 * @param position index in the catalogue
 */
export async function insertHistory(db: Db, plugin: DemoPlugin, position: number): Promise<void> {
  const { slug, likes, installs, views, recommended = false } = plugin;
  await sql`
    with counted as (
      update plugin_counter c set praise_count = ${likes}, install_count = ${installs}, view_count = ${views}
        from plugin p
        where p.plugin_key = ${demoKey(slug)} and c.plugin_id = p.id and p.is_visible and c.view_count < ${views}
        returning p.id
    ), history as (
      insert into figure_change (plugin_id, day, figure, delta)
        select counted.id, day, figure, greatest(minimum, round(total / 900.0 * swing * pace))
          from counted
          cross join (
            values ('installs', ${installs}::int, 1), ('uninstalls', ${installs}::int / 9, 0), ('likes', ${likes}::int, 1),
              ('views', ${views}::int, 1)
          ) as figures (figure, total, minimum)
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

/** True for a plugin that has, or had, a slot. */
export async function hasSlot(db: Db, pluginKey: string): Promise<boolean> {
  const { rows } = await sql`
    select from resource_slot s join plugin p on p.id = s.plugin_id where p.plugin_key = ${pluginKey} limit 1`.execute(
    db,
  );
  return rows.length > 0;
}
