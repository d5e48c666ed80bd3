import { sql } from 'kysely';
import { AUDIT_REFUSED, AUDIT_WAITING } from '../../../../shared/constants.ts';
import type { Db } from '../../schema.ts';

/** A decision against what waits for a plugin. */
export type Refusal = { pluginKey: string; reason: string; reviewerId: number; at: Date };

/** Refuses what waits for review, as an administrator would; nothing when nothing waits. */
export async function refuseWaiting(db: Db, { pluginKey, reason, reviewerId, at }: Refusal): Promise<void> {
  await sql`
    with refused as (
      update submission s set audit_status = ${AUDIT_REFUSED}, reason = ${reason}, decided_by = ${reviewerId},
          decided_at = ${at}
        from plugin p
        where p.plugin_key = ${pluginKey} and s.plugin_id = p.id and s.audit_status = ${AUDIT_WAITING}
          and not s.is_superseded
        returning s.id, s.plugin_id, s.plugin_version_id, s.brings_version
    ), version as (
      update plugin_version v set audit_status = ${AUDIT_REFUSED}
        from refused r where v.id = r.plugin_version_id and r.brings_version
    ), plugin as (
      update plugin p set audit_status = ${AUDIT_REFUSED}
        from refused r where p.id = r.plugin_id and p.current_version_id is null
    )
    insert into review (submission_id, audit_status, reason, reviewer_id, created_at)
      select id, ${AUDIT_REFUSED}, ${reason}, ${reviewerId}, ${at} from refused`.execute(db);
}
