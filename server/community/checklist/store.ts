import { sql } from 'kysely';
import { ACTIVITY_ID } from '../../../shared/constants.ts';
import type { Checklist } from '../../../shared/entities/backstage.ts';
import type { Db } from '../schema.ts';

/** What this database tells of a checklist; things that no visitor sees do not count. */
type Filled = Omit<Checklist, 'mail' | 'protocol'>;

export async function readFilled(db: Db): Promise<Filled> {
  const { rows } = await sql<Filled>`
    select exists (select from tag where not is_hidden) as tags,
        exists (
          select from recommendation r join plugin_listing l on l.plugin_id = r.plugin_id and l.tag_id = 0
        ) as recommended,
        exists (select from banner where redirect_url <> '' and picture_key is not null) as banners,
        exists (select from featured_work where picture_key is not null and not is_hidden) as works,
        exists (select from activity where id = ${ACTIVITY_ID} and not is_hidden) as activity,
        exists (select from qr_code where is_contact) as qr_code`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('exists answered no row');
  return row;
}

/** Whether visitors see any tag. */
export async function hasTags(db: Db): Promise<boolean> {
  const { rows } = await sql`select from tag where not is_hidden limit 1`.execute(db);
  return rows.length > 0;
}
