import { sql } from 'kysely';
import { ACTIVE_DAYS } from '../../../../shared/constants.ts';
import type { Db } from '../../schema.ts';
import { servedVersion } from './installations.ts';
import { ACCEPTED_VERSION, type InstallationRow, installedRights, readServable } from './store.ts';
import type { UpdatePolicyAt } from './update-age.ts';

/** Installs of a plugin that get the same version: these have the same accepted version, hold and age of updates. */
type Alike = InstallationRow & { count: number };

/**
 * Counts the active installs of plugins, of accounts that were used in the last 30 days, and which version they get where
 * every version works. That is decided once for all installs that are alike, as it is for one.
 */
export async function countActiveInstalls(
  db: Db,
  ids: readonly number[],
  updates: UpdatePolicyAt,
): Promise<{
  counts: Map<number, number>;
  versions: { pluginId: number; version: string; count: number }[];
}> {
  const rows = await readAlike(db, ids, new Date(updates.now));
  const servable = await readServable(db, rows);
  const counts = new Map<number, number>();
  for (const { plugin_id, count } of rows) counts.set(plugin_id, (counts.get(plugin_id) ?? 0) + count);
  const versions = rows.flatMap((row) => {
    const version = servedVersion(row, servable.get(row.plugin_id) ?? [], updates);
    return version === null ? [] : [{ pluginId: row.plugin_id, version, count: row.count }];
  });
  return { counts, versions };
}

async function readAlike(db: Db, ids: readonly number[], now: Date): Promise<Alike[]> {
  const { rows } = await sql<Alike>`
    with i as (
      select i.plugin_id, ${ACCEPTED_VERSION} as accepted_version_id, i.hold, i.held_version_id, u.min_age_days,
          count(*)::integer as count
        from unnest(${[...ids]}::bigint[]) given (id)
        join plugin p on p.id = given.id
        join plugin_install i on i.plugin_id = p.id and i.uninstalled_at is null
        join active_person a on a.user_id = i.user_id and a.active_on > day_of(${now}) - ${ACTIVE_DAYS}::integer
        left join update_preference u on u.user_id = i.user_id
        group by 1, 2, 3, 4, 5
    )
    select p.id as plugin_id, true as is_installed, i.count, i.min_age_days, ${installedRights(sql`i.accepted_version_id`)},
        null as submitted, null as deprecation
      from i join plugin p on p.id = i.plugin_id`.execute(db);
  return rows;
}
