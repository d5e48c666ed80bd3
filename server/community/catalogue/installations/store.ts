import { type RawBuilder, sql } from 'kysely';
import type { Hold } from '../../../../shared/entities/plugin.ts';
import type { Db } from '../../schema.ts';
import { type DeprecationRow, deprecationOf } from '../deprecation/deprecated.ts';
import { APPROVED_AT } from '../transparency/approval-store.ts';
import { PROOF, type Proof } from '../transparency/proof.ts';
import { SUBMITTED_VERSION } from '../versions/store.ts';
import { WITHDRAWN, type Withdrawn } from '../withdrawal/withdrawn.ts';

/** A version with its requested permissions. */
export type VersionRights = {
  id: number;
  version: string;
  /** Name of its package in the file store; null without one, and for a withdrawn version. */
  file: string | null;
  proof: Proof;
  domains: string[];
  /** Null for all design tools. */
  host_range: string | null;
  approved_at: string;
  manifest: { permissions: unknown; editorType: unknown; api: unknown };
};

/** A plugin that a user has installed or tries. */
export type InstallationRow = {
  plugin_id: number;
  is_installed: boolean;
  is_deleted: boolean;
  is_refused: boolean;
  current: VersionRights | null;
  accepted: VersionRights | null;
  /** The version submitted last; for trials only. */
  submitted: VersionRights | null;
  hold: Hold | null;
  /** How old versions must be, as the user has chosen. */
  min_age_days: number | null;
  /** The version that the user stays with; null also if its approval was revoked. */
  held: VersionRights | null;
  /** What withholds it. */
  held_withdrawn: Withdrawn | null;
  /** What is withheld: the plugin, or its newest withdrawn version. */
  withdrawn: Withdrawn | null;
  /** Of an installed plugin. */
  deprecation: DeprecationRow<OfferedSuccessor> | null;
};

/** What an installed plugin may be replaced by. */
type OfferedSuccessor = { rights: VersionRights; is_installed: boolean };

const versionRights = (id: RawBuilder<unknown>) => sql<VersionRights | null>`(
  select jsonb_build_object('id', v.id, 'version', v.version, 'file', case when v.withdrawn_at is null then f.file_key || '.' || f.extension end,
      'proof', ${PROOF}, 'domains', v.allowed_domains, 'host_range', v.host_range,
      'approved_at', ${APPROVED_AT}, 'manifest', jsonb_build_object(
        'permissions', v.package_manifest -> 'permissions', 'editorType', v.package_manifest -> 'editorType',
        'api', v.package_manifest -> 'api'))
    from plugin_version v left join stored_file f on f.file_key = v.package_key where v.id = ${id})`;

/**
 * SQL for the version that an install `i` of a plugin `p` has accepted; for a row that says none, the latest one approved when
 * it was installed, or else the first one.
 */
export const ACCEPTED_VERSION = sql`coalesce(i.accepted_version_id,
  (select s.plugin_version_id from submission s
    where s.plugin_id = p.id and s.audit_status = 2 and s.brings_version and s.decided_at <= i.installed_at
    order by s.decided_at desc, s.id desc limit 1),
  (select v.id from plugin_version v where v.plugin_id = p.id and v.audit_status = 2
    order by v.created_at, v.id limit 1))`;

/** SQL for what is withdrawn of a plugin `p`. */
const GONE = sql<Withdrawn | null>`(
  select ${WITHDRAWN} from plugin_version v
    where v.plugin_id = p.id and (p.withdrawn_at is not null or v.withdrawn_at is not null)
    order by v.id desc limit 1)`;

/**
 * SQL for columns of an {@link InstallationRow} of a plugin `p`, with the hold of `i`: what may be delivered.
 * @param accepted SQL for the id of the accepted version
 */
export const installedRights = (accepted: RawBuilder<unknown>) => sql`
  p.deleted_at is not null as is_deleted, p.audit_status = 3 as is_refused,
  ${versionRights(sql`p.current_version_id`)} as current, ${versionRights(accepted)} as accepted, i.hold,
  case when i.hold is not null then ${versionRights(sql`(
    select id from plugin_version where id = i.held_version_id and audit_status = 2)`)} end as held,
  case when i.hold is not null then (
    select ${WITHDRAWN} from plugin_version v where v.id = i.held_version_id) end as held_withdrawn,
  ${GONE} as withdrawn`;

/** Reads those of the plugins that a user has installed or tries, unordered. */
export async function readInstallationRows(
  db: Db,
  userId: number,
  plugins: { ids: readonly number[] } | { key: string },
): Promise<InstallationRow[]> {
  const asked =
    'key' in plugins ? sql`p.plugin_key = ${plugins.key}` : sql`p.id = any (${[...plugins.ids]}::bigint[])`;
  const { rows } = await sql<InstallationRow>`
    select p.id as plugin_id, i.user_id is not null as is_installed, ${installedRights(ACCEPTED_VERSION)},
        case when i.user_id is null then ${versionRights(sql`coalesce(${SUBMITTED_VERSION},
          (select max(id) from plugin_version where plugin_id = p.id))`)} end as submitted,
        (select min_age_days from update_preference where user_id = ${userId}) as min_age_days,
        case when i.user_id is not null then ${deprecationOf<OfferedSuccessor>(sql`jsonb_build_object(
          'rights', ${versionRights(sql`s.current_version_id`)}, 'is_installed', exists (
            select from plugin_install where user_id = ${userId} and plugin_id = s.id and uninstalled_at is null))`)} end
          as deprecation
      from plugin p
      left join plugin_install i on i.plugin_id = p.id and i.user_id = ${userId} and i.uninstalled_at is null
      left join plugin_trial t on t.plugin_id = p.id and t.user_id = ${userId}
      where ${asked} and (i.user_id is not null or t.user_id is not null)`.execute(db);
  return rows;
}

/** An earlier version, and whether it repairs what an earlier one was withdrawn for. */
export type ServableVersion = VersionRights & { is_security: boolean };

/**
 * SQL for whether a version `o` is the first one approved after one that is withdrawn as vulnerable or malware. Nobody marks
 * it: only an administrator decides that users were in danger, and later versions are ordinary ones again.
 */
const IS_SECURITY_RELEASE = sql`exists (
  select from withdrawal w where w.restored_at is null and w.reason in ('vulnerable', 'malware')
    and w.plugin_version_id = (select max(b.id) from plugin_version b
      where b.plugin_id = o.plugin_id and b.audit_status = 2 and b.id < o.id))`;

/** Maximum number of earlier versions to search. */
const EARLIER_MAX = 100;

/** Reads approved and visible versions up to the later of the current and the accepted one, newest first, by plugin id. */
export async function readServable(
  db: Db,
  installations: readonly InstallationRow[],
): Promise<Map<number, ServableVersion[]>> {
  if (installations.length === 0) return new Map();
  const lasts = installations.map(({ current, accepted }) => Math.max(current?.id ?? 0, accepted?.id ?? 0));
  const { rows } = await sql<{ plugin_id: number; servable: ServableVersion[] }>`
    select wanted.plugin_id, (
        select coalesce(jsonb_agg(${versionRights(sql`o.id`)}
            || jsonb_build_object('is_security', ${IS_SECURITY_RELEASE}) order by o.created_at desc, o.id desc), '[]') from (
          select id, plugin_id, created_at from plugin_version
            where plugin_id = wanted.plugin_id and audit_status = 2 and not is_hidden and withdrawn_at is null
              and id <= wanted.last
            order by created_at desc, id desc limit ${EARLIER_MAX}
        ) o
      ) as servable
      from unnest(${installations.map(({ plugin_id }) => plugin_id)}::bigint[], ${lasts}::bigint[])
        as wanted (plugin_id, last)`.execute(db);
  return new Map(rows.map(({ plugin_id, servable }) => [plugin_id, servable]));
}

/**
 * Reads a version that an install may be pinned to, with the accepted one: it is approved, and shown, or the installed one.
 * @returns undefined if there is none
 */
export async function readPinnable(
  db: Db,
  { userId, pluginKey, version }: { userId: number; pluginKey: string; version: string },
  installed: string,
): Promise<
  { accepted: VersionRights | null; wanted: VersionRights; withdrawn: Withdrawn | null } | undefined
> {
  const { rows } = await sql<{
    accepted: VersionRights | null;
    wanted: VersionRights;
    withdrawn: Withdrawn | null;
  }>`
    select ${versionRights(ACCEPTED_VERSION)} as accepted, ${versionRights(
      sql`(select id from plugin_version where plugin_id = p.id and version = ${version})`,
    )} as wanted, ${WITHDRAWN} as withdrawn
      from plugin p join plugin_version v on v.plugin_id = p.id and v.version = ${version}
      join plugin_install i on i.plugin_id = p.id and i.user_id = ${userId} and i.uninstalled_at is null
      where p.plugin_key = ${pluginKey} and v.audit_status = 2 and (not v.is_hidden or v.version = ${installed})`.execute(
    db,
  );
  return rows[0];
}

/** Stores which version an install stays with; null lets updates go on. */
export async function setHold(
  db: Db,
  { userId, pluginKey }: { userId: number; pluginKey: string },
  hold: { kind: Hold; versionId: number } | null,
): Promise<void> {
  await sql`
    update plugin_install i set hold = ${hold?.kind ?? null}, held_version_id = ${hold?.versionId ?? null}
      from plugin p where p.plugin_key = ${pluginKey} and i.plugin_id = p.id and i.user_id = ${userId}
        and i.uninstalled_at is null`.execute(db);
}

/**
 * Reads the current version of a published plugin, and the version that the user has seen, null if it is not approved.
 * @returns undefined for an unpublished plugin, and for an installed one, since installing it again accepts nothing
 */
export async function readSeenVersion(
  db: Db,
  { userId, pluginKey, version }: { userId: number; pluginKey: string; version: string },
): Promise<{ current: VersionRights; seen: VersionRights | null } | undefined> {
  const { rows } = await sql<{ current: VersionRights; seen: VersionRights | null }>`
    select ${versionRights(sql`p.current_version_id`)} as current,
        ${versionRights(sql`(
          select id from plugin_version where plugin_id = p.id and version = ${version} and audit_status = 2)`)} as seen
      from plugin p where p.plugin_key = ${pluginKey} and p.is_visible and p.current_version_id is not null
        and not exists (
          select from plugin_install where user_id = ${userId} and plugin_id = p.id and uninstalled_at is null
        )`.execute(db);
  return rows[0];
}

/**
 * Accepts a version for an install, if it is the current one, or else still shown and the one that is offered.
 * @param target.offered id of the version that is offered in place of the current one
 * @param target.young id of a version that is not old enough yet
 * @returns false if it is not, or nothing is installed
 */
export async function acceptVersion(
  db: Db,
  {
    userId,
    pluginKey,
    version,
    offered,
    young,
  }: { userId: number; pluginKey: string; version: string; offered: number | null; young: number | null },
): Promise<boolean> {
  const { rows } = await sql`
    update plugin_install i set accepted_version_id = v.id
      from plugin p join plugin_version v on v.plugin_id = p.id and v.version = ${version}
      where p.plugin_key = ${pluginKey} and p.is_visible
        and (v.id = p.current_version_id and v.id is distinct from ${young}
          or v.id = ${offered} and v.audit_status = 2 and not v.is_hidden and v.withdrawn_at is null)
        and i.plugin_id = p.id and i.user_id = ${userId} and i.uninstalled_at is null
      returning i.plugin_id`.execute(db);
  return rows.length > 0;
}

/** Stores how old versions must be for a user; undefined takes the choice back. */
export async function setMinAge(db: Db, userId: number, days: number | undefined): Promise<void> {
  if (days === undefined) {
    await db.deleteFrom('update_preference').where('user_id', '=', userId).execute();
    return;
  }
  await db
    .insertInto('update_preference')
    .values({ user_id: userId, min_age_days: days })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ min_age_days: days }))
    .execute();
}

/** @returns null without a choice */
export async function readMinAge(db: Db, userId: number): Promise<number | null> {
  const row = await db
    .selectFrom('update_preference')
    .select('min_age_days')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.min_age_days ?? null;
}
