import { sql } from 'kysely';
import { AUDIT_ALL, AUDIT_PASSED, AUDIT_REFUSED, AUDIT_WAITING } from '../../../../shared/constants.ts';
import type { Finding } from '../../../../shared/entities/finding.ts';
import type { Picture } from '../../../../shared/entities/plugin.ts';
import type { PublicUser } from '../../../../shared/entities/user.ts';
import type { Texts } from '../../../../shared/languages.ts';
import { publicUserOf } from '../../people/users.ts';
import type { Db, StoredListing } from '../../schema.ts';
import { type MarkRow, markOf } from '../marks/store.ts';
import type { Ordered } from '../ordered-list/store.ts';
import { shownPicture } from '../plugins/card-store.ts';

/** A submission as lists show it; pictures and tags are those of the submitted listing. */
export type SubmissionRow = {
  id: number;
  plugin_id: number;
  plugin_key: string;
  listing: StoredListing;
  icon: Picture | null;
  cover: Picture | null;
  tags: { id: number; code: string; name: Texts }[];
  mark: MarkRow | null;
  publisher: PublicUser;
  praise_count: number;
  install_count: number;
  view_count: number;
  is_liked: boolean;
  is_installed: boolean;
  version: string;
  version_kind: 'new' | 'fixed';
  brings_version: boolean;
  is_first: boolean;
  is_live: boolean;
  is_deprecated: boolean;
  current_version: string | null;
  is_hidden: boolean;
  audit_status: 1 | 2 | 3;
  reason: string | null;
  findings: Finding[];
  is_recommended: boolean;
  is_silent: boolean;
  created_at: Date;
  decided_at: Date | null;
  decided_by: PublicUser | null;
  claimed_by: PublicUser | null;
  claimed_until: Date | null;
  created_by: number;
  /** Whether the viewer is one of its authors. */
  is_own: boolean;
  /** By the viewer. */
  is_opened: boolean;
};

/**
 * SQL for the users who made a submission `s` of a plugin `p` with a version `v`: who submitted it or one since the approval
 * before it, from which it may have its texts, who uploaded its version, and the publisher of the plugin.
 */
export const AUTHORS = sql`(
  select e.created_by as user_id from submission e
    where e.plugin_id = s.plugin_id and e.id <= s.id and e.id > coalesce((
      select max(a.id) from submission a where a.plugin_id = s.plugin_id and a.id < s.id and a.audit_status = 2
    ), 0)
  union select v.created_by where v.created_by is not null
  union select p.publisher_id)`;

/** Rows of the given submissions, in the given order; `viewerId` decides likes, installs and openings. */
export async function readSubmissionRows(
  db: Db,
  submissionIds: readonly number[],
  viewerId: number,
): Promise<SubmissionRow[]> {
  const { rows } = await sql<SubmissionRow>`
    select s.id, s.plugin_id, p.plugin_key, s.listing, ${shownPicture(sql`keys.icon_key`)} as icon,
        ${shownPicture(sql`coalesce(keys.cover_key, p.generated_cover_key)`)} as cover, ${markOf(sql`s.listing ->> 'plugin_mark'`)} as mark, coalesce(tags.list, '[]') as tags,
        ${publicUserOf('p.publisher_id')} as publisher, c.praise_count, c.install_count, c.view_count,
        exists (select from plugin_like where user_id = ${viewerId} and plugin_id = p.id) as is_liked,
        exists (
          select from plugin_install where user_id = ${viewerId} and plugin_id = p.id and uninstalled_at is null
        ) as is_installed,
        v.version, v.kind as version_kind, s.brings_version, s.is_first, p.is_visible as is_live,
        p.deprecated_at is not null as is_deprecated,
        current.version as current_version, p.is_hidden,
        s.audit_status, s.reason, s.findings,
        exists (select from recommendation where plugin_id = p.id) as is_recommended,
        exists (select from silent_install where plugin_id = p.id) as is_silent,
        s.created_at, s.decided_at, ${publicUserOf('s.decided_by')} as decided_by,
        ${publicUserOf('s.claimed_by')} as claimed_by, s.claimed_until, s.created_by,
        ${viewerId} in ${AUTHORS} as is_own,
        exists (select from review_opening where submission_id = s.id and user_id = ${viewerId}) as is_opened
      from unnest(${[...submissionIds]}::bigint[]) with ordinality as wanted (id, place)
      join submission s on s.id = wanted.id
      join plugin p on p.id = s.plugin_id
      join plugin_version v on v.id = s.plugin_version_id
      left join plugin_version current on current.id = p.current_version_id
      join plugin_counter c on c.plugin_id = p.id
      cross join lateral (
        select s.listing ->> 'icon_key' as icon_key, s.listing ->> 'cover_key' as cover_key
      ) keys
      cross join lateral (
        select jsonb_agg(jsonb_build_object('id', tag.id, 'code', tag.code, 'name', tag.name)
            order by code.place) as list
          from jsonb_array_elements_text(s.listing -> 'tags') with ordinality as code (code, place)
          join tag on tag.code = code.code
      ) tags
      order by wanted.place`.execute(db);
  return rows;
}

/** Pictures by their keys. */
export async function readPictures(db: Db, keys: readonly string[]): Promise<Map<string, Picture>> {
  if (keys.length === 0) return new Map();
  const rows = await db
    .selectFrom('picture')
    .select(['picture_key as key', 'width', 'height', 'widths'])
    .where('picture_key', 'in', [...keys])
    .execute();
  return new Map(rows.map((row) => [row.key, row]));
}

/** Videos by their keys. */
export async function readVideos(
  db: Db,
  keys: readonly string[],
): Promise<Map<string, { extension: string; mime_type: string }>> {
  if (keys.length === 0) return new Map();
  const rows = await db
    .selectFrom('stored_file')
    .select(['file_key', 'extension', 'mime_type'])
    .where('file_key', 'in', [...keys])
    .execute();
  return new Map(rows.map(({ file_key, ...file }) => [file_key, file]));
}

/** A submission whose row is locked until the transaction ends. */
export type LockedSubmission = {
  id: number;
  plugin_id: number;
  plugin_version_id: number;
  listing: StoredListing;
  audit_status: 1 | 2 | 3;
  is_superseded: boolean;
  /** Status of the version it is about. */
  version_status: 1 | 2 | 3;
};

/** Locks the plugin first, like every change of a plugin, then the submission. */
export async function lockSubmission(trx: Db, submissionId: number): Promise<LockedSubmission | undefined> {
  await sql`
    select from plugin where id = (select plugin_id from submission where id = ${submissionId})
      for no key update`.execute(trx);
  const { rows } = await sql<LockedSubmission>`
    select s.id, s.plugin_id, s.plugin_version_id, s.listing, s.audit_status, s.is_superseded,
        v.audit_status as version_status
      from submission s
      join plugin p on p.id = s.plugin_id and p.deleted_at is null
      join plugin_version v on v.id = s.plugin_version_id
      where s.id = ${submissionId} for update of s`.execute(trx);
  return rows[0];
}

type Shape = Pick<Ordered, 'key' | 'direction' | 'ranges' | 'search'>;

const search = (table: string) => ({ table: sql.table(table), id: sql`submission_id`, words: sql`words` });
const everything = search('submission_search');

const decided = (status: typeof AUDIT_PASSED | typeof AUDIT_REFUSED): Shape => ({
  key: sql`coalesce(l.decided_at, l.created_at)`,
  direction: 'desc',
  ranges: [sql`(l.audit_status = ${sql.lit(status)} and l.audit_status in (2, 3))`],
  search: everything,
});

/** Waiting submissions: the oldest first; decided ones: the latest decision first; all: the newest first. */
const SHAPES: ReadonlyMap<number, Shape> = new Map([
  [
    AUDIT_ALL,
    { key: sql`l.created_at`, direction: 'desc', ranges: [sql`not l.is_superseded`], search: everything },
  ],
  [
    AUDIT_WAITING,
    {
      key: sql`l.created_at`,
      direction: 'asc',
      ranges: [sql`(l.audit_status = 1 and not l.is_superseded)`],
      search: search('waiting_search'),
    },
  ],
  [AUDIT_PASSED, decided(AUDIT_PASSED)],
  [AUDIT_REFUSED, decided(AUDIT_REFUSED)],
]);

/** The review list of a status. */
export function queueOrder(status: number): Ordered {
  const shape = SHAPES.get(status);
  if (!shape) throw new RangeError(`not an audit status: ${status}`);
  return {
    from: sql`submission l`,
    id: sql`l.id`,
    keyKind: 'time',
    ...shape,
  };
}
