import { sql } from 'kysely';
import { ACTIVITY_ID } from '../../../../shared/constants.ts';
import type { Checklist } from '../../../../shared/entities/backstage.ts';
import type { Db } from '../../schema.ts';

/** Of members there is only what this service knows: more than one person. */
type Filled = Omit<Checklist, 'mail' | keyof SiteSettings>;

/** Which parts of the site its settings fill. */
export type SiteSettings = Record<'protocol' | 'brand' | 'site_url' | 'app_url', boolean>;

/** Days that a site counts as new. */
const NEW_DAYS = 7;

/**
 * Checks which parts of the site have visible content.
 * @param now milliseconds since 1970
 */
export async function readFilled(db: Db, now: number): Promise<Filled> {
  const { rows } = await sql<Filled>`
    select coalesce((select min("timestamp")::timestamptz from kysely_migration), ${new Date(now)})
          > ${new Date(now)}::timestamptz - make_interval(days => ${NEW_DAYS}) as is_new,
        exists (select from plugin) as plugins,
        (select count(*) > 1 from (select from person where deleted_at is null limit 2) people) as members,
        exists (select from tag where not is_hidden) as tags,
        exists (
          select from recommendation r join plugin_listing l on l.plugin_id = r.plugin_id and l.tag_id = 0
        ) as recommended,
        exists (select from banner where redirect_url <> '' and picture_key is not null) as banners,
        exists (select from featured_work where picture_key is not null and not is_hidden) as works,
        exists (select from activity where id = ${ACTIVITY_ID} and not is_hidden) as activity,
        exists (select from qr_code where is_contact) as qr_code`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('query returned no row');
  return row;
}

/** Ids of plugins per range of a sitemap, published or not; `sitemap_range` counts by them. */
const RANGE_SIZE = 1000;

/** Lists the ranges that contain a published plugin. */
export async function readRanges(db: Db): Promise<number[]> {
  const { rows } = await sql<{ range: number }>`
    select range from sitemap_range where total > 0 order by range`.execute(db);
  return rows.map(({ range }) => range);
}

/** Reads the published plugins of one range by id. */
export async function readRange(db: Db, range: number): Promise<{ plugin_key: string; updated_at: Date }[]> {
  const first = range * RANGE_SIZE;
  const end = first + RANGE_SIZE;
  // The planner does not apply the bounds of one table to the other.
  const { rows } = await sql<{ plugin_key: string; updated_at: Date }>`
    select p.plugin_key, p.updated_at
      from plugin_listing l join plugin p on p.id = l.plugin_id
      where l.tag_id = 0 and l.plugin_id >= ${first} and l.plugin_id < ${end}
        and p.id >= ${first} and p.id < ${end}
      order by l.plugin_id`.execute(db);
  return rows;
}
