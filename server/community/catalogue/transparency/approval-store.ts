import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../schema.ts';

/** An approved version with its package, as users download it. */
export type Approved = {
  id: number;
  plugin_key: string;
  version: string;
  digest: string;
  size: number;
  manifest: unknown;
  allowed_domains: string[];
  host_range: string | null;
  approved_at: Date;
  is_withdrawn: boolean;
  is_plugin_withdrawn: boolean;
};

/** SQL for when a version `v` was approved. */
export const APPROVED_AT: RawBuilder<Date> = sql<Date>`coalesce((
  select min(coalesce(s.decided_at, s.created_at)) from submission s
    where s.plugin_version_id = v.id and s.audit_status = 2
), v.created_at)`;

/** Reads those of the versions whose package has a digest, in the order of their ids. */
export async function readApproved(trx: Db, ids: readonly number[]): Promise<Approved[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<Approved>`
    select v.id, p.plugin_key, v.version, f.release_key as digest, f.release_bytes as size,
        v.package_manifest as manifest, v.allowed_domains, v.host_range, v.withdrawn_at is not null as is_withdrawn,
        p.withdrawn_at is not null as is_plugin_withdrawn,
        ${APPROVED_AT} as approved_at
      from plugin_version v join plugin p on p.id = v.plugin_id join stored_file f on f.file_key = v.package_key
      where v.id = any (${[...ids]}::bigint[]) and v.audit_status = 2 and f.release_key is not null
      order by v.id`.execute(trx);
  return rows;
}

/** Locks the plugins of approved versions without a signature; those that somebody else has locked come later. @returns ids */
export async function takeUnsigned(trx: Db, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select v.id from plugin_version v join plugin p on p.id = v.plugin_id
        join stored_file f on f.file_key = v.package_key
      where v.audit_status = 2 and v.signature is null and v.package_key is not null and f.release_key is not null
      order by v.id limit ${limit} for no key update of p skip locked`.execute(trx);
  return rows.map(({ id }) => id);
}

export async function writeSignatures(
  trx: Db,
  signed: readonly { id: number; signature: string }[],
): Promise<void> {
  await sql`
    update plugin_version v set signature = s.signature
      from unnest(${signed.map(({ id }) => id)}::bigint[], ${signed.map(({ signature }) => signature)}::text[])
        as s (id, signature)
      where v.id = s.id`.execute(trx);
}
