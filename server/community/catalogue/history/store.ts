import { type RawBuilder, sql } from 'kysely';
import type { ListingEvent } from '../../../../shared/entities/plugin.ts';
import type { Language, Texts } from '../../../../shared/languages.ts';
import type { Db } from '../../schema.ts';

type Named = { names: Texts; default_lang: Language };
type VersionRights = { manifest: unknown; domains: string[] };

/** An event with what it takes to tell of it; fields of other kinds of events are null. */
export type EventRow = {
  kind: Exclude<ListingEvent['kind'], 'published'> | 'approved';
  at: Date;
  rank: number;
  id: number;
  version: string | null;
  name: Named | null;
  /** Null for the first approval. */
  name_before: Named | null;
  parts: ListingEvent['parts'] | null;
  rights: VersionRights | null;
  rights_before: VersionRights | null;
};

/** Milliseconds since 1970, and a rank and id among events of the same time. */
type EventPlace = readonly [number, number, number];
type Page = { after: EventPlace | undefined; limit: number };

type Source = {
  kind: RawBuilder<unknown>;
  at: RawBuilder<unknown>;
  id: RawBuilder<unknown>;
  /** Of what it is about; null for a submission, whose version may be hidden. */
  version: RawBuilder<unknown>;
  rows: RawBuilder<unknown>;
};

/** Changes that the audit log alone has dates of. */
const TOLD_ACTIONS = {
  'plugin.hide': 'hidden',
  'plugin.show': 'shown',
  'plugin.deprecate': 'deprecated',
  'plugin.undeprecate': 'maintained',
} as const;

/** Where the history of a plugin is: each source is read by an index, and no further than the page. */
function sourcesOf(pluginId: number): Source[] {
  const none = sql`null::text`;
  const ofWithdrawals = sql`withdrawal w left join plugin_version v on v.id = w.plugin_version_id
    where w.plugin_id = ${pluginId} and w.is_public`;
  const key = sql`(select plugin_key from plugin where id = ${pluginId})`;
  return [
    {
      kind: sql`'approved'`,
      at: sql`s.decided_at`,
      id: sql`s.id`,
      version: none,
      rows: sql`submission s
        where s.plugin_id = ${pluginId} and s.audit_status = 2 and s.decided_at is not null`,
    },
    {
      kind: sql`'revoked'`,
      at: sql`l.at`,
      id: sql`l.sequence`,
      version: sql`l.version`,
      rows: sql`transparency_log l where l.plugin_key = ${key} and l.kind = 'revoke'`,
    },
    {
      kind: sql`'withdrawn'`,
      at: sql`w.withdrawn_at`,
      id: sql`w.id`,
      version: sql`v.version`,
      rows: ofWithdrawals,
    },
    {
      kind: sql`'restored'`,
      at: sql`w.restored_at`,
      id: sql`w.id`,
      version: sql`v.version`,
      rows: sql`${ofWithdrawals} and w.restored_at is not null`,
    },
    {
      kind: sql`(${sql.lit(JSON.stringify(TOLD_ACTIONS))}::jsonb ->> t.action)`,
      at: sql`t.created_at`,
      id: sql`t.id`,
      version: none,
      // Another text or successor of a deprecation is no other one.
      rows: sql`audit_trail t where t.target_id = ${key} and t.target_kind = 'plugin'
        and t.action = any (${Object.keys(TOLD_ACTIONS)}) and (t.action <> 'plugin.deprecate' or (
          select b.action from audit_trail b
            where b.target_id = t.target_id and b.target_kind = 'plugin' and (b.created_at, b.id) < (t.created_at, t.id)
              and b.action in ('plugin.deprecate', 'plugin.undeprecate')
            order by b.created_at desc, b.id desc limit 1
        ) is distinct from 'plugin.deprecate')`,
    },
    {
      kind: sql`'verified'`,
      at: sql`k.at`,
      id: sql`k.id`,
      version: none,
      rows: sql`(
        select p.id, case when p.verified_as = '' then d.decided_at else o.verified_at end as at
          from (
            select q.id, q.publisher_id, h.verified_as from plugin q join person h on h.user_id = q.publisher_id
              where q.id = ${pluginId} and h.verified_as is not null
          ) p
          left join publisher_domain o on o.user_id = p.publisher_id
          left join verification_decision d on d.user_id = p.publisher_id
      ) k where k.at is not null`,
    },
  ];
}

function placesOf(pluginId: number, { after, limit }: Page): RawBuilder<unknown> {
  const parts = sourcesOf(pluginId).map(({ kind, at, id, version, rows }, rank) => {
    const place = after
      ? sql`and ${at} <= ${new Date(after[0])} and (${at}, ${rank}::int, ${id}) < (${new Date(after[0])}, ${after[1]}, ${after[2]})`
      : sql``;
    return sql`(select ${kind} as kind, ${at} as at, ${rank}::int as rank, ${id} as id, ${version} as version
      from ${rows} ${place} order by ${at} desc, ${id} desc limit ${limit})`;
  });
  return sql`${sql.join(parts, sql` union all `)} order by at desc, rank desc, id desc limit ${limit}`;
}

/** SQL for whether a field of the listings differs; missing is like empty. */
const differs = (...fields: string[]): RawBuilder<boolean> => {
  const each = fields.map(
    (field) => sql`coalesce(nullif(s.listing -> ${field}, '""'), 'null')
      is distinct from coalesce(nullif(b.listing -> ${field}, '""'), 'null')`,
  );
  return sql<boolean>`(${sql.join(each, sql` or `)})`;
};

const PARTS: Readonly<Record<ListingEvent['parts'][number], RawBuilder<boolean>>> = {
  name: differs('name'),
  intro: differs('intro'),
  description: differs('description', 'description_markdown'),
  pictures: differs('icon_key', 'cover_key', 'panel_key', 'media'),
  tags: differs('tags'),
  license: differs('license'),
  links: differs('home_page', 'source_url', 'issues_url'),
  data_collected: differs('data_collected'),
  contact: differs('contact', 'support', 'support_translations'),
  copyright: differs('copyright'),
};

const CHANGED = sql`array_remove(array[${sql.join(
  Object.entries(PARTS).map(([part, isChanged]) => sql`case when ${isChanged} then ${sql.lit(part)} end`),
)}], null)`;

const named = (table: 's' | 'b') => sql`jsonb_build_object(
  'names', ${sql.ref(`${table}.listing`)} -> 'name', 'default_lang', ${sql.ref(`${table}.listing`)} -> 'default_lang')`;

const rights = (table: 'v' | 'o') => sql`jsonb_build_object(
  'manifest', ${sql.ref(`${table}.package_manifest`)}, 'domains', ${sql.ref(`${table}.allowed_domains`)})`;

/**
 * Reads what happened to a plugin, latest first. An approval is compared with the one before it, and a version with the one
 * that was public before it; neither tells of versions that are hidden.
 */
export async function readHistory(db: Db, pluginId: number, page: Page): Promise<EventRow[]> {
  const { rows } = await sql<EventRow>`
    select e.kind, e.at, e.rank, e.id, coalesce(e.version, v.version) as version,
        case when s.id is not null then ${named('s')} end as name,
        case when b.id is not null then ${named('b')} end as name_before,
        case when b.id is not null then ${CHANGED} end as parts,
        case when v.package_manifest is not null then ${rights('v')} end as rights,
        case when o.package_manifest is not null then ${rights('o')} end as rights_before
      from (${placesOf(pluginId, page)}) e
      left join submission s on s.id = e.id and e.kind = 'approved'
      left join lateral (
        select b.id, b.listing from submission b
          where b.plugin_id = s.plugin_id and b.audit_status = 2 and b.decided_at is not null
            and b.decided_at <= s.decided_at and (b.decided_at, b.id) < (s.decided_at, s.id)
          order by b.decided_at desc, b.id desc limit 1
      ) b on true
      left join plugin_version v on v.id = s.plugin_version_id and s.brings_version and not v.is_hidden
      left join lateral (
        select o.package_manifest, o.allowed_domains from plugin_version o
          where o.plugin_id = v.plugin_id and (o.created_at, o.id) < (v.created_at, v.id) and o.audit_status = 2
            and not o.is_hidden and o.withdrawn_at is null
          order by o.created_at desc, o.id desc limit 1
      ) o on true
      order by e.at desc, e.rank desc, e.id desc`.execute(db);
  return rows;
}
