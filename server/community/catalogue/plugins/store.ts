import { type RawBuilder, sql } from 'kysely';
import type { DataCollected, Filling, Picture } from '../../../../shared/entities/plugin.ts';
import type { PublicUser } from '../../../../shared/entities/user.ts';
import type { Language, Texts } from '../../../../shared/languages.ts';
import type { MarkdownTexts } from '../../column-types.ts';
import { type Names, namesOf } from '../../names.ts';
import type { ListPlace } from '../../pages.ts';
import { publisherFrom } from '../../people/users.ts';
import type { Db } from '../../schema.ts';
import { supportTexts } from '../../support-texts.ts';
import { type DeprecationRow, deprecationOf } from '../deprecation/deprecated.ts';
import { fillingColumn } from '../filling/store.ts';
import { isAfter, LISTING_ORDERS, type Sort } from '../listing-order.ts';
import { PROOF, type Proof } from '../transparency/proof.ts';
import { SUBMITTED_VERSION } from '../versions/store.ts';
import { type WithdrawalRow, withdrawalOf } from '../withdrawal/withdrawn.ts';
import { pictureOf } from './card-store.ts';

/** The facts that decide who may see a plugin. */
export type PluginAccess = { id: number; publisher_id: number; is_visible: boolean };

/** Finds a plugin that was not deleted. */
export async function findPlugin(db: Db, pluginKey: string): Promise<PluginAccess | undefined> {
  const { rows } = await sql<PluginAccess>`
    select id, publisher_id, is_visible from plugin
      where plugin_key = ${pluginKey} and deleted_at is null`.execute(db);
  return rows[0];
}

/** When versions were approved for the first time; each is ISO 8601. */
type Releases = { first_at: string; latest_at: string; last_year: number };

/** The detail page without the card; of an unpublished plugin, the version submitted last. */
export type DetailRow = {
  descriptions: Texts;
  markdown: MarkdownTexts;
  license: string;
  home_page: string;
  source_url: string;
  issues_url: string;
  data_collected: DataCollected | null;
  releases: Releases | null;
  /** The approved version before it. */
  version_before: { version: string; manifest: unknown; domains: string[] } | null;
  panel: Picture | null;
  contact: string;
  support: Texts;
  copyright_kind: 'author' | 'custom';
  copyright_holder: string;
  /** Null without a package. */
  allowed_domains: string[] | null;
  manifest: unknown;
  host_range: string | null;
  version: string;
  is_visible: boolean;
  withdrawal: WithdrawalRow | null;
  deprecation: DeprecationRow | null;
  package_bytes: number;
  proof: Proof;
  audit_status: 1 | 2 | 3;
  created_at: Date;
};

/**
 * SQL for the rhythm of the releases of a plugin `p`: when its versions were approved for the first time. Those that are
 * hidden or withdrawn do not count.
 */
const RELEASES = sql`(
  select jsonb_build_object('first_at', min(r.at), 'latest_at', max(r.at),
      'last_year', count(*) filter (where r.at > now() - interval '12 months'))
    from (
      select min(s.decided_at) as at from submission s join plugin_version rv on rv.id = s.plugin_version_id
        where s.plugin_id = p.id and s.audit_status = 2 and s.decided_at is not null
          and not rv.is_hidden and rv.withdrawn_at is null
        group by s.plugin_version_id
    ) r
    having count(*) > 0)`;

export async function readDetailRow(db: Db, pluginId: number): Promise<DetailRow | undefined> {
  const { rows } = await sql<DetailRow>`
    select texts.descriptions, texts.markdown,
        p.license, p.home_page, p.source_url, p.issues_url, p.data_collected, ${RELEASES} as releases, (
          select jsonb_build_object('version', b.version, 'manifest', b.package_manifest, 'domains', b.allowed_domains)
            from plugin_version b
            where b.plugin_id = p.id and b.id < v.id and b.audit_status = 2 and b.withdrawn_at is null
            order by b.id desc limit 1
        ) as version_before,
        ${pictureOf('p.panel_key')} as panel, p.contact, ${supportTexts('p')} as support,
        p.copyright_kind, p.copyright_holder, p.audit_status, p.created_at,
        case when v.package_key is not null or cardinality(v.allowed_domains) > 0 then v.allowed_domains end
          as allowed_domains,
        v.package_manifest as manifest, v.host_range, coalesce(v.version, '') as version, p.is_visible,
        ${withdrawalOf('p')} as withdrawal, ${deprecationOf()} as deprecation, coalesce(v.package_bytes, 0) as package_bytes,
        ${PROOF} as proof
      from plugin p left join plugin_version v on v.id = case
        when p.audit_status = 2 then p.current_version_id else coalesce(${SUBMITTED_VERSION}, p.current_version_id) end
      cross join lateral (
        select jsonb_object_agg(lang, description) as descriptions,
            coalesce(jsonb_object_agg(lang, description_markdown) filter (where description_markdown is not null), '{}')
              as markdown
          from plugin_text where plugin_id = p.id
      ) texts
      where p.id = ${pluginId}`.execute(db);
  return rows[0];
}

/** A picture, or a video by its file. */
export type MediaRow =
  | { picture: Picture; is_before: boolean; file_key: null; extension: null; mime_type: null }
  | { picture: null; is_before: false; file_key: string; extension: string; mime_type: string };

export async function readMediaRows(db: Db, pluginId: number): Promise<MediaRow[]> {
  const { rows } = await sql<MediaRow>`
    select ${pictureOf('m.picture_key')} as picture, m.is_before, f.file_key, f.extension, f.mime_type
      from plugin_media m left join stored_file f using (file_key)
      where m.plugin_id = ${pluginId} order by m.position`.execute(db);
  return rows;
}

type VersionRow = {
  version: string;
  kind: 'new' | 'fixed';
  note: Texts;
  default_lang: Language;
  is_current: boolean;
  is_hidden: boolean;
  is_hidden_by_admin: boolean;
  withdrawal: WithdrawalRow | null;
  audit_status: 1 | 2 | 3;
  host_range: string | null;
  proof: Proof;
  created_at: Date;
};

const VERSIONS_SHOWN = 200;

/** Reads versions, newest first; `all` includes hidden, withdrawn and unapproved ones. */
export async function readVersionRows(db: Db, pluginId: number, all: boolean): Promise<VersionRow[]> {
  const { rows } = await sql<VersionRow>`
    select v.version, v.kind, v.note, p.default_lang, v.is_hidden, v.audit_status, v.created_at, v.host_range,
        v.is_hidden and v.is_hidden_by_admin as is_hidden_by_admin, ${withdrawalOf('v')} as withdrawal,
        coalesce(p.current_version_id = v.id, false) as is_current, ${PROOF} as proof
      from plugin_version v join plugin p on p.id = v.plugin_id
      where v.plugin_id = ${pluginId} and (${all} or (v.audit_status = 2 and not v.is_hidden and v.withdrawn_at is null))
      order by v.created_at desc, v.id desc limit ${VERSIONS_SHOWN}`.execute(db);
  return rows;
}

/** Reads the visible tags in their order. */
export async function readTags(db: Db): Promise<{ id: number; code: string; name: Texts }[]> {
  const { rows } = await sql<{ id: number; code: string; name: Texts }>`
    select id, code, name from tag where not is_hidden order by position, id`.execute(db);
  return rows;
}

/** A plugin and its sort value: milliseconds since 1970, or popularity. */
type Listed = { plugin_id: number; sort_key: number };

type Page = { sort: Sort; after: ListPlace | undefined; limit: number };
type Range = Page & { tagId: number };

/** Reads one short index range, which starts at the cursor. */
function pageOf({ tagId, sort, after, limit }: Range): RawBuilder<unknown> {
  const order = LISTING_ORDERS[sort];
  return sql`
    select plugin_id, ${order.key} as sort_key
      from plugin_listing
      where tag_id = ${tagId} ${after ? sql`and ${isAfter(order, after)}` : sql``}
      order by ${order.column} desc, plugin_id desc limit ${limit}`;
}

/**
 * Reads a page of a tag's list and the length of the list; undefined for an unknown tag. Tag 0 is "all".
 * The cost depends neither on the size of the catalogue nor on the depth of the page.
 */
export async function readListing(
  db: Db,
  range: Range,
): Promise<{ total: number; filling: Filling | null; rows: Listed[] } | undefined> {
  type Row = { total: number; filling: Filling | null } & (Listed | { plugin_id: null; sort_key: null });
  const { rows } = await sql<Row>`
    select t.total, ${fillingColumn} as filling, page.plugin_id, page.sort_key
      from listing_total t
      left join lateral (${pageOf(range)}) page on true
      where t.tag_id = ${range.tagId}`.execute(db);
  const [first] = rows;
  const { total, filling } = first ?? { total: 0, filling: null };
  return first && { total, filling, rows: rows.filter((row) => row.plugin_id !== null) };
}

/** Reads a page of the published plugins of a publisher, like a tag's list. */
export async function readPublisherListing(
  db: Db,
  publisherId: number,
  { sort, after, limit }: Page,
): Promise<Listed[]> {
  const order = LISTING_ORDERS[sort];
  const { rows } = await sql<Listed>`
    select plugin_id, ${order.key} as sort_key from plugin_listing
      where publisher_id = ${publisherId} ${after ? sql`and ${isAfter(order, after)}` : sql``}
      order by ${order.column} desc, plugin_id desc limit ${limit}`.execute(db);
  return rows;
}

/** More than administrators curate by hand. */
const RECOMMENDED_MAX = 400;

/** Reads the ids of the visible recommended plugins in their order. */
export async function readRecommendedIds(db: Db): Promise<number[]> {
  const { rows } = await sql<{ plugin_id: number }>`
    select r.plugin_id from recommendation r
      join plugin_listing l on l.plugin_id = r.plugin_id and l.tag_id = 0
      order by r.position, r.plugin_id limit ${RECOMMENDED_MAX}`.execute(db);
  return rows.map((row) => row.plugin_id);
}

/** Visible plugins of a publisher, the latest update first. */
export async function readPublisherIds(db: Db, publisherId: number, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from plugin where publisher_id = ${publisherId} and deleted_at is null and is_visible
      order by updated_at desc, id desc limit ${limit}`.execute(db);
  return rows.map((row) => row.id);
}

/** A publisher, unless their account is deleted. */
export async function readPublisherUser(db: Db, userId: number): Promise<PublicUser | undefined> {
  const { rows } = await sql<{ publisher: PublicUser }>`
    select ${publisherFrom('person')} as publisher from person
      where user_id = ${userId} and deleted_at is null`.execute(db);
  return rows[0]?.publisher;
}

/** Finds a visible plugin. @returns its id */
export async function findUsable(db: Db, pluginKey: string): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select id from plugin where plugin_key = ${pluginKey} and is_visible`.execute(db);
  return rows[0]?.id;
}

export type LockedPlugin = Names & { id: number; publisher_id: number };

/** Locks a plugin, like every change of a plugin does; a deleted one only if asked for. */
export async function lockPlugin(
  trx: Db,
  pluginKey: string,
  { isDeletedToo = false } = {},
): Promise<LockedPlugin | undefined> {
  const { rows } = await sql<LockedPlugin>`
    select p.id, p.publisher_id, p.default_lang, ${namesOf('p.id')} as names
      from plugin p where p.plugin_key = ${pluginKey} and (p.deleted_at is null or ${isDeletedToo})
      for no key update of p`.execute(trx);
  return rows[0];
}
