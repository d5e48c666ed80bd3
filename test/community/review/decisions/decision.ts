import { sql } from 'kysely';
import type { Db } from '../../../../server/community/schema.ts';

/** The body of a decision about the newest submission of a plugin, or about the one that it names. */
export async function decisionOn(db: Db, body: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { plugin_key: key = null, submission_id: id = null } = body;
  const { rows } = await sql<Record<string, unknown>>`
    select s.id as submission_id, v.version from submission s
      join plugin p on p.id = s.plugin_id join plugin_version v on v.id = s.plugin_version_id
      where not s.is_superseded and p.plugin_key = ${key} and ${id === null} or s.id = ${id}
      order by s.id desc limit 1`.execute(db);
  return { ...rows[0], ...body };
}
