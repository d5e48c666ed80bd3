import { sql } from 'kysely';
import type { PublisherReport } from '../../../../shared/entities/publisher.ts';
import type { ReportReason } from '../../../../shared/entities/site.ts';
import { appError } from '../../../http/errors.ts';
import { publicUserFrom, publisherFrom } from '../../people/users.ts';
import type { Db } from '../../schema.ts';

type NewReport = {
  publisher_id: number;
  user_id: number;
  kind: ReportReason;
  reason: string;
  created_at: Date;
};

/** Inserts a report, unless the user has an open one of the same publisher. */
export async function insertProfileReport(trx: Db, report: NewReport): Promise<void> {
  await sql`
    insert into publisher_report (publisher_id, user_id, kind, reason, created_at)
      values (${report.publisher_id}, ${report.user_id}, ${report.kind}, ${report.reason}, ${report.created_at})
      on conflict (publisher_id, user_id) where state = 'open' do nothing`.execute(trx);
}

type ReportRow = Omit<PublisherReport, 'created_at'> & { created_at: Date };

/** Undecided reports, oldest first; `after` is the id of the last row of the page before. */
export async function readOpenReports(
  db: Db,
  { after = 0, limit }: { after: number | undefined; limit: number },
): Promise<ReportRow[]> {
  const { rows } = await sql<ReportRow>`
    select r.id, r.kind, r.reason, r.created_at, ${publisherFrom('publisher')} as publisher,
        ${publicUserFrom('reporter')} as reporter, coalesce(p.default_lang, 'en-US') as default_lang,
        coalesce(p.about, '{}') as about, coalesce(p.links, '{}') as links, p.hidden_reason
      from publisher_report r
      join person publisher on publisher.user_id = r.publisher_id
      join person reporter on reporter.user_id = r.user_id
      left join publisher_profile p on p.user_id = r.publisher_id
      where r.state = 'open' and r.id > ${after} order by r.id limit ${limit}`.execute(db);
  return rows;
}

type Decision = { by: number; at: Date };

/** @returns the ids of the publisher and of who reported them @throws NOT_FOUND, ALREADY_DECIDED */
export async function dismissOpenReport(
  trx: Db,
  id: number,
  { by, at }: Decision,
): Promise<{ publisher_id: number; user_id: number }> {
  const decided = await trx
    .updateTable('publisher_report')
    .set({ state: 'dismissed', decided_by: by, decided_at: at })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .returning(['publisher_id', 'user_id'])
    .executeTakeFirst();
  if (decided) return decided;
  const known = await trx.selectFrom('publisher_report').select('id').where('id', '=', id).executeTakeFirst();
  throw appError(known ? 'ALREADY_DECIDED' : 'NOT_FOUND');
}

/** @returns who reported them */
export async function upholdOpenReports(
  trx: Db,
  publisherId: number,
  { by, at }: Decision,
): Promise<number[]> {
  const { rows } = await sql<{ user_id: number }>`
    update publisher_report set state = 'accepted', decided_by = ${by}, decided_at = ${at}
      where publisher_id = ${publisherId} and state = 'open' returning user_id`.execute(trx);
  return rows.map((row) => row.user_id);
}

/** @param reason null to show it again */
export async function setProfileHidden(
  trx: Db,
  userId: number,
  reason: string | null,
  at: Date,
): Promise<'changed' | 'same' | 'missing'> {
  const found = await trx
    .selectFrom('publisher_profile')
    .select('hidden_reason')
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
  if (!found) return 'missing';
  if ((found.hidden_reason === null) === (reason === null)) return 'same';
  await trx
    .updateTable('publisher_profile')
    .set({ hidden_at: reason === null ? null : at, hidden_reason: reason })
    .where('user_id', '=', userId)
    .execute();
  return 'changed';
}
