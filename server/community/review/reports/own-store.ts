import { type RawBuilder, sql } from 'kysely';
import type { OtherReport } from '../../../../shared/entities/site.ts';
import { boundedCount } from '../../pages.ts';
import { canReadCollection } from '../../people/policy.ts';
import type { Db } from '../../schema.ts';

export type OtherReportRow = Omit<OtherReport, 'created_at' | 'decided_at'> & {
  created_at: Date;
  decided_at: Date | null;
};

type OfUser = { userId: number; before: number | undefined; limit: number };

const after = (before: number | undefined): RawBuilder<unknown> =>
  before === undefined ? sql`` : sql`and r.id < ${before}`;

/** A user's reports of publishers, newest first; without a name or a page where there is none any more. */
export async function readOwnPublisherReports(
  db: Db,
  { userId, before, limit }: OfUser,
): Promise<OtherReportRow[]> {
  const { rows } = await sql<OtherReportRow>`
    select r.id, 'publisher' as subject, case when p.deleted_at is null then p.nick_name else '' end as name,
        case when p.deleted_at is null and exists (select from plugin_listing l where l.publisher_id = p.user_id)
          then p.handle else '' end as key,
        r.kind, r.reason, r.state, r.created_at, r.decided_at
      from publisher_report r join person p on p.user_id = r.publisher_id
      where r.user_id = ${userId} ${after(before)} order by r.id desc limit ${limit}`.execute(db);
  return rows;
}

type CollectionReportRow = OtherReportRow & {
  owner_id: number;
  access: 'private' | 'link' | 'public';
  is_hidden: boolean;
};

/** The same of collections; the title is left out of those that the user may not read any more. */
export async function readOwnCollectionReports(
  db: Db,
  { userId, before, limit }: OfUser,
): Promise<OtherReportRow[]> {
  const { rows } = await sql<CollectionReportRow>`
    select r.id, 'collection' as subject, c.title as name, c.collection_key as key, r.kind, r.reason,
        case when r.decided_at is null then 'open' when coalesce(r.is_upheld, c.is_hidden) then 'accepted'
          else 'dismissed' end as state,
        r.created_at, r.decided_at, c.user_id as owner_id, c.access, c.is_hidden
      from collection_report r join collection c on c.id = r.collection_id
      where r.user_id = ${userId} ${after(before)} order by r.id desc limit ${limit}`.execute(db);
  return rows.map(({ owner_id, access, is_hidden, ...row }) =>
    canReadCollection({ user_id: userId, role: 0 }, { user_id: owner_id, access, is_hidden })
      ? row
      : { ...row, name: '', key: '' },
  );
}

/** Counts both, up to one more than is shown exactly of each. */
export async function countOtherReports(db: Db, userId: number): Promise<number> {
  const counts = await Promise.all([
    boundedCount(db, sql`from publisher_report where user_id = ${userId}`),
    boundedCount(db, sql`from collection_report where user_id = ${userId}`),
  ]);
  return counts.reduce((sum, count) => sum + count, 0);
}
