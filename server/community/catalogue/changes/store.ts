import { sql } from 'kysely';
import { PREPARED } from '../../../database/query.ts';
import type { Db } from '../../schema.ts';
import { type DeprecationRow, deprecationOf } from '../deprecation/deprecated.ts';
import { PROOF, type Proof } from '../transparency/proof.ts';
import { type WithdrawalRow, withdrawalOf } from '../withdrawal/withdrawn.ts';

/**
 * Gives each noted plugin the next position, one place for all its notes. Call it under the lock of the numbering: so that a
 * smaller position is always committed before a larger one.
 * @returns the number of plugins
 */
export async function numberNotes(trx: Db): Promise<number> {
  const { rows } = await sql`
    with taken as (
      delete from catalogue_note returning plugin_id
    ), numbered as (
      select p.id as plugin_id,
          (select position from catalogue_revision) + row_number() over (order by p.id) as position,
          exists (select from plugin_version v where v.plugin_id = p.id and v.audit_status = 2) as is_public
        from plugin p where p.id in (select plugin_id from taken)
    ), placed as (
      insert into catalogue_change as c (plugin_id, position, was_public)
        select plugin_id, position, is_public from numbered
        on conflict (plugin_id) do update
          set position = excluded.position, was_public = c.was_public or excluded.was_public
        returning position
    ), moved as (
      update catalogue_revision set position = placed.last
        from (select max(position) as last from placed) placed where placed.last is not null
    )
    select from placed`.execute(trx);
  return rows.length;
}

/** The last position that was given. */
export async function readRevision(db: Db): Promise<number> {
  const { rows } = await sql<{ position: number }>`
    ${sql.raw(PREPARED)} select position from catalogue_revision`.execute(db);
  return rows[0]?.position ?? 0;
}

/** Whether any change waits for its place. */
export async function hasNotes(db: Db): Promise<boolean> {
  const { rows } = await sql`select from catalogue_note limit 1`.execute(db);
  return rows.length > 0;
}

/** A version as others see it. */
type ShownVersion = {
  version: string;
  proof: Proof;
  domains: string[];
  permissions: unknown;
  api: unknown;
  host_range: string | null;
};

export type ChangeRow = {
  position: number;
  plugin_key: string;
  is_visible: boolean;
  withdrawal: WithdrawalRow | null;
  deprecation: DeprecationRow | null;
  current: ShownVersion | null;
  withdrawn_versions: (WithdrawalRow & { version: string; digest: string | null })[];
};

/** Reads public plugins after a position, in their order, as they are now. */
export async function readChanges(
  db: Db,
  { after, limit }: { after: number; limit: number },
): Promise<{ revision: number; rows: ChangeRow[] }> {
  const { rows } = await sql<{ revision: number; change: ChangeRow | null }>`
    select r.position as revision, page.change from catalogue_revision r left join lateral (
      select c.position, jsonb_build_object('position', c.position, 'plugin_key', p.plugin_key, 'is_visible', p.is_visible,
          'withdrawal', ${withdrawalOf('p')}, 'deprecation', ${deprecationOf()},
          'current', case when p.is_visible then (
            select jsonb_build_object('version', v.version, 'proof', ${PROOF}, 'domains', v.allowed_domains, 'permissions', v.package_manifest -> 'permissions',
                'api', v.package_manifest -> 'api', 'host_range', v.host_range)
              from plugin_version v where v.id = p.current_version_id) end,
          'withdrawn_versions', (
            select coalesce(jsonb_agg(jsonb_build_object('version', v.version, 'digest', f.release_key)
                || ${withdrawalOf('v')} order by v.id), '[]')
              from plugin_version v left join stored_file f on f.file_key = v.package_key
              where v.plugin_id = p.id and v.withdrawn_at is not null and v.audit_status = 2)) as change
        from catalogue_change c join plugin p on p.id = c.plugin_id
        where c.was_public and c.position > ${after}
        order by c.position limit ${limit}
    ) page on true order by page.position`.execute(db);
  return { revision: rows[0]?.revision ?? 0, rows: rows.flatMap(({ change }) => change ?? []) };
}

/** What the answer about a person's plugins depends on. */
export type Revisions = {
  /** Null until the person has changed anything. */
  own: string | null;
  catalogue: number;
  /** Whether anything that they have has changed since the asked position; null if that is too long ago to say. */
  is_touched: boolean | null;
};

/** Positions since the client's last answer that are looked through. */
const LOOKED_THROUGH = 2000;

/**
 * Reads the revisions: two rows by their keys, and of the changes since a position those of the person's plugins.
 * @param since null without an earlier answer
 */
export async function readRevisions(db: Db, userId: number, since: number | null): Promise<Revisions> {
  const { rows } = await sql<Revisions>`
    ${sql.raw(PREPARED)} select (select revision from installed_revision where user_id = ${userId}) as own,
        r.position as catalogue,
        case when r.position = ${since}::bigint then false
          when r.position - ${since}::bigint between 1 and ${LOOKED_THROUGH}::bigint then exists (
            select from catalogue_change c where c.position > ${since}::bigint and (
              exists (select from plugin_install i
                where i.user_id = ${userId} and i.plugin_id = c.plugin_id and i.uninstalled_at is null)
              or exists (select from plugin_trial t where t.user_id = ${userId} and t.plugin_id = c.plugin_id)))
          end as is_touched
      from catalogue_revision r`.execute(db);
  return rows[0] ?? { own: null, catalogue: 0, is_touched: null };
}
