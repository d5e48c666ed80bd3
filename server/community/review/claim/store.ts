import { sql } from 'kysely';
import type { Db } from '../../schema.ts';

export type Claim = {
  submissionId: number;
  userId: number;
  now: Date;
  until: Date;
  /** Whether what they have submitted themselves is not for them. */
  isOwnBarred: boolean;
};

/** Takes a waiting submission that nobody else holds at present; answers whether it was to be had. */
export async function takeClaim(db: Db, claim: Claim): Promise<boolean> {
  const { submissionId, userId, now, until, isOwnBarred } = claim;
  const { rows } = await sql`
    update submission set claimed_by = ${userId}, claimed_until = ${until}
      where id = ${submissionId} and audit_status = 1 and not is_superseded
        and (claimed_by is null or claimed_by = ${userId} or claimed_until <= ${now})
        and not (${isOwnBarred} and created_by = ${userId})
      returning id`.execute(db);
  return rows.length > 0;
}

/** Lets go of a submission; a claim that has run out is nobody's. Answers whether the claim was one's own. */
export async function dropClaim(
  db: Db,
  { submissionId, userId, now }: Pick<Claim, 'submissionId' | 'userId' | 'now'>,
): Promise<boolean> {
  const { rows } = await sql`
    update submission set claimed_by = null, claimed_until = null
      where id = ${submissionId} and (claimed_by is null or claimed_by = ${userId} or claimed_until <= ${now})
      returning id`.execute(db);
  return rows.length > 0;
}

/** A submission of a plugin that is not deleted: what a claim that failed is told. */
export async function readClaimed(
  db: Db,
  submissionId: number,
): Promise<{ id: number; plugin_id: number; audit_status: 1 | 2 | 3; is_superseded: boolean } | undefined> {
  const { rows } = await sql<{
    id: number;
    plugin_id: number;
    audit_status: 1 | 2 | 3;
    is_superseded: boolean;
  }>`
    select s.id, s.plugin_id, s.audit_status, s.is_superseded
      from submission s join plugin p on p.id = s.plugin_id and p.deleted_at is null
      where s.id = ${submissionId}`.execute(db);
  return rows[0];
}
