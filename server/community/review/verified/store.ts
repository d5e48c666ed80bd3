import { sql } from 'kysely';
import type { PublicUser } from '../../../../shared/entities/user.ts';
import { publisherFrom } from '../../people/users.ts';
import type { Db } from '../../schema.ts';

type VerifiedRow = {
  id: number;
  publisher: PublicUser;
  since: Date;
  reason: string;
  failing_since: Date | null;
};

/** Verified publishers by id; `after` is the id of the last row of the page before. */
export async function readVerified(
  db: Db,
  { after = 0, limit }: { after: number | undefined; limit: number },
): Promise<VerifiedRow[]> {
  const { rows } = await sql<VerifiedRow>`
    select p.user_id as id, ${publisherFrom('p')} as publisher, coalesce(d.verified_at, v.decided_at) as since,
        coalesce(v.reason, '') as reason, d.failing_since
      from person p
      left join publisher_domain d on d.user_id = p.user_id and d.verified_at is not null
      left join verification_decision v on v.user_id = p.user_id
      where p.verified_as is not null and p.user_id > ${after} order by p.user_id limit ${limit}`.execute(db);
  return rows;
}

/** Whether somebody has a row here whose account was not deleted; locks it. */
export async function lockPerson(trx: Db, userId: number): Promise<boolean> {
  const { rows } = await sql`
    select from person where user_id = ${userId} and deleted_at is null for no key update`.execute(trx);
  return rows.length > 0;
}

type NewDecision = { is_verified: boolean; reason: string; decided_by: number; decided_at: Date };

export async function writeDecision(trx: Db, userId: number, decision: NewDecision): Promise<void> {
  await sql`
    insert into verification_decision (user_id, is_verified, reason, decided_by, decided_at)
      values (${userId}, ${decision.is_verified}, ${decision.reason}, ${decision.decided_by}, ${decision.decided_at})
      on conflict (user_id) do update
        set is_verified = excluded.is_verified, reason = excluded.reason, decided_by = excluded.decided_by,
            decided_at = excluded.decided_at`.execute(trx);
}
