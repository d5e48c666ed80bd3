import { sql } from 'kysely';
import type { OwnEnterprise } from '../../../shared/routes/own-enterprise.ts';
import type { IdentityDb } from '../schema.ts';

/** Makes the user a member of the enterprise, in the department that the directory says now. */
export async function enrol(
  db: IdentityDb,
  { userId, eId, department }: { userId: number; eId: number; department: string },
): Promise<void> {
  await db
    .insertInto('enterprise_member')
    .values({ user_id: userId, e_id: eId, department })
    .onConflict((conflict) => conflict.columns(['user_id', 'e_id']).doUpdateSet({ department }))
    .execute();
  await db
    .updateTable('account')
    .set({ e_id: sql`coalesce(e_id, ${eId})` })
    .where('user_id', '=', userId)
    .execute();
}

/** Calls an enterprise what the deployment calls it now. */
export async function nameEnterprise(db: IdentityDb, eId: number, name: string): Promise<void> {
  await db
    .insertInto('enterprise')
    .values({ e_id: eId, name })
    .onConflict((conflict) =>
      conflict.column('e_id').doUpdateSet({ name }).where('enterprise.name', '<>', name),
    )
    .execute();
}

/** The enterprises of a user, by number. */
export function enterprisesOf(db: IdentityDb, userId: number): Promise<OwnEnterprise[]> {
  return db
    .selectFrom('enterprise_member as member')
    .leftJoin('enterprise', 'enterprise.e_id', 'member.e_id')
    .select(['member.e_id', 'member.department', 'member.is_owner', 'member.is_administrator'])
    .select((row) => row.fn.coalesce('enterprise.name', sql.lit('')).as('name'))
    .where('member.user_id', '=', userId)
    .orderBy('member.e_id')
    .execute();
}
