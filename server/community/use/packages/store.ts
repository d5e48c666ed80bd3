import { sql } from 'kysely';
import { WITHDRAWN, type Withdrawn } from '../../catalogue/withdrawal/withdrawn.ts';
import type { Db } from '../../schema.ts';

/** A stored package with this digest, and what decides who gets it. */
export type ReleaseRow = {
  /** Name in the file store. */
  name: string;
  bytes: number;
  /** A listed plugin has it as a version that everybody sees. */
  is_public: boolean;
  /** A version has it that is not withdrawn, in whatever state. */
  is_kept: boolean;
  /** The user has installed a plugin with it as an approved version that is neither hidden nor withdrawn. */
  is_installed: boolean;
  /** What withholds it, of those that were approved once. */
  withdrawn: Withdrawn | null;
  /** Ids of plugins with it that the user has installed or tries. */
  held: number[];
};

/** Several files may be the same without the keys for developers. */
export async function readReleases(db: Db, digest: string, userId: number | null): Promise<ReleaseRow[]> {
  const versions = sql`plugin_version v join plugin p on p.id = v.plugin_id where v.package_key = f.file_key`;
  const { rows } = await sql<ReleaseRow>`
    select f.file_key || '.' || f.extension as name, f.release_bytes as bytes,
        exists (select from ${versions}
          and p.is_visible and v.audit_status = 2 and not v.is_hidden and v.withdrawn_at is null) as is_public,
        exists (select from ${versions} and p.withdrawn_at is null and v.withdrawn_at is null) as is_kept,
        exists (select from ${versions} and v.audit_status = 2 and not v.is_hidden
          and p.withdrawn_at is null and v.withdrawn_at is null and exists (select from plugin_install
            where user_id = ${userId} and plugin_id = v.plugin_id and uninstalled_at is null)) as is_installed,
        (select ${WITHDRAWN} from ${versions}
          and v.audit_status = 2 and (p.withdrawn_at is not null or v.withdrawn_at is not null)
          order by v.id desc limit 1) as withdrawn,
        (select coalesce(jsonb_agg(distinct v.plugin_id), '[]') from ${versions} and (
          exists (select from plugin_install
            where user_id = ${userId} and plugin_id = v.plugin_id and uninstalled_at is null)
          or exists (select from plugin_trial where user_id = ${userId} and plugin_id = v.plugin_id))) as held
      from stored_file f where f.release_key = ${digest}`.execute(db);
  return rows;
}

/** Names of packages without a digest, besides those to skip. */
export async function readUndigested(db: Db, limit: number, skipped: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select file_key || '.' || extension as name from stored_file
      where extension = 'json' and release_key is null
        and file_key || '.' || extension <> all (${[...skipped]}::text[])
      order by file_key limit ${limit}`.execute(db);
  return rows.map(({ name }) => name);
}

export type Digested = { name: string; digest: string; bytes: number };

/** Stores digests in one statement; those that another instance has stored meanwhile stay. */
export async function writeDigests(db: Db, digested: readonly Digested[]): Promise<void> {
  await sql`
    update stored_file f set release_key = d.digest, release_bytes = d.bytes
      from unnest(${digested.map(({ name }) => name.slice(0, name.indexOf('.')))}::text[],
          ${digested.map(({ digest }) => digest)}::text[], ${digested.map(({ bytes }) => bytes)}::bigint[])
        as d (file_key, digest, bytes)
      where f.file_key = d.file_key and f.release_key is null`.execute(db);
}
