import { sql } from 'kysely';
import { ACTIVE_DAYS } from '../../../../shared/constants.ts';
import type { Db } from '../../schema.ts';

const DELETED_BATCH = 5000;

/** Notes that accounts were used on a day; a row is written once a day. Deleted accounts stay unknown. */
export async function addActive(db: Db, userIds: readonly number[], at: Date): Promise<void> {
  const sorted = [...userIds].sort((a, b) => a - b);
  await sql`
    insert into active_person as t (user_id, active_on)
      select user_id, day_of(${at}) from unnest(${sorted}::bigint[]) given (user_id)
        where not exists (select from person p where p.user_id = given.user_id and p.deleted_at is not null)
        order by user_id
      on conflict (user_id) do update set active_on = excluded.active_on where t.active_on < excluded.active_on`.execute(
    db,
  );
}

/** Forgets accounts that were not used for so long that their installs are no longer active. */
export async function deleteInactive(db: Db, now: Date): Promise<void> {
  for (let deleted = DELETED_BATCH; deleted === DELETED_BATCH; ) {
    const { numAffectedRows = 0n } = await sql`
      delete from active_person where user_id = any (array(
        select user_id from active_person where active_on <= day_of(${now}) - ${ACTIVE_DAYS}::integer
          limit ${DELETED_BATCH} for update skip locked
      ))`.execute(db);
    deleted = Number(numAffectedRows);
  }
}
