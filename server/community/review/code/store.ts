import { sql } from 'kysely';
import type { Db } from '../../schema.ts';

/** A package as it lies in the file store; null for a version without one. */
export type PackageRow = { name: string; bytes: number } | null;

/** The package of a submission and that of what had passed before it; undefined when there is no submission. */
export async function readPackageRows(
  db: Db,
  submissionId: number,
): Promise<{ passed_version: string | null; before: PackageRow; after: PackageRow } | undefined> {
  const { rows } = await sql<{ passed_version: string | null; before: PackageRow; after: PackageRow }>`
    select passed.version as passed_version, ${packageOf('passed.package_key')} as before,
        ${packageOf('v.package_key')} as after
      from submission s
      join plugin_version v on v.id = s.plugin_version_id
      left join lateral (
        select pv.version, pv.package_key
          from submission before join plugin_version pv on pv.id = before.plugin_version_id
          where before.plugin_id = s.plugin_id and before.id < s.id and before.audit_status = 2
          order by before.id desc limit 1
      ) passed on true
      where s.id = ${submissionId}`.execute(db);
  return rows[0];
}

function packageOf(key: string) {
  return sql<PackageRow>`(
    select jsonb_build_object('name', file_key || '.' || extension, 'bytes', bytes)
      from stored_file where file_key = ${sql.ref(key)})`;
}
