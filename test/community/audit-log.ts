import type { Pool } from '../../server/database/pool.ts';

/** What the audit log remembers of one kind of target, the oldest first. */
export async function auditLogOf(pool: Pool, targetKind: string) {
  const { rows } = await pool.query(
    `select actor_id, action, target_id, target_name, detail from audit_trail where target_kind = $1 order by id`,
    [targetKind],
  );
  return rows;
}
