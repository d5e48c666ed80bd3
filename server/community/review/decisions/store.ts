import { sql } from 'kysely';
import type { PublicUser } from '../../../../shared/entities/user.ts';
import type { Texts } from '../../../../shared/languages.ts';
import { AUTHORS } from '../../catalogue/submissions/store.ts';
import type { Names } from '../../names.ts';
import { publicUserOf } from '../../people/users.ts';
import type { Db, StoredListing } from '../../schema.ts';

/** The state of submission, version and plugin that a claim or decision depends on. */
export type SubmissionSnapshot = Names & {
  id: number;
  plugin_id: number;
  audit_status: 1 | 2 | 3;
  is_superseded: boolean;
  plugin_key: string;
  version: string;
  version_note: Texts;
  brings_version: boolean;
  publisher_id: number;
  created_by: number;
  /** Whether the reviewer is one of its authors. */
  is_own: boolean;
  reason: string | null;
  decided_at: Date | null;
  decided_by: PublicUser | null;
  claimed_until: Date | null;
  claimed_by: PublicUser | null;
  current_version_id: number | null;
  plugin_status: 1 | 2 | 3;
};

/** @returns undefined for an unknown submission, or one of a deleted plugin */
export async function readSnapshot(
  db: Db,
  submissionId: number,
  reviewerId: number,
): Promise<SubmissionSnapshot | undefined> {
  const { rows } = await sql<SubmissionSnapshot>`
    select s.id, s.plugin_id, s.audit_status, s.is_superseded, s.brings_version, s.created_by,
        ${reviewerId} in ${AUTHORS} as is_own, p.plugin_key, p.publisher_id, p.current_version_id, p.audit_status as plugin_status,
        v.version, v.note as version_note,
        s.listing -> 'name' as names, s.listing ->> 'default_lang' as default_lang,
        s.reason, s.decided_at, ${publicUserOf('s.decided_by')} as decided_by,
        s.claimed_until, ${publicUserOf('s.claimed_by')} as claimed_by
      from submission s join plugin p on p.id = s.plugin_id and p.deleted_at is null
      join plugin_version v on v.id = s.plugin_version_id
      where s.id = ${submissionId}`.execute(db);
  return rows[0];
}

/** A newer submission of the same plugin: who decided it, or else submitted it, and when. */
export type NewerSubmission = { by: PublicUser; at: Date; audit_status: 1 | 2 | 3 };

export async function readNewerSubmission(
  db: Db,
  { id, plugin_id }: { id: number; plugin_id: number },
  statuses: readonly number[],
): Promise<NewerSubmission | undefined> {
  const { rows } = await sql<NewerSubmission>`
    select coalesce(${publicUserOf('s.decided_by')}, ${publicUserOf('s.created_by')}) as by,
        coalesce(s.decided_at, s.created_at) as at, s.audit_status
      from submission s
      where s.plugin_id = ${plugin_id} and s.id > ${id} and not s.is_superseded
        and s.audit_status = any (${[...statuses]}::smallint[])
      order by s.id desc limit 1`.execute(db);
  return rows[0];
}

type Decision = {
  submissionId: number;
  auditStatus: 2 | 3;
  reason: string | null;
  reviewerId: number;
  at: Date;
};

/** Writes a decision to the submission, which ends a claim, and to the history of decisions. */
export async function insertDecision(trx: Db, decision: Decision): Promise<void> {
  const { submissionId, auditStatus, reason, reviewerId, at } = decision;
  await sql`
    update submission set audit_status = ${auditStatus}, reason = ${reason}, decided_by = ${reviewerId},
        decided_at = ${at}, claimed_by = null, claimed_until = null
      where id = ${submissionId}`.execute(trx);
  await sql`
    insert into review (submission_id, audit_status, reason, reviewer_id, created_at)
      values (${submissionId}, ${auditStatus}, ${reason}, ${reviewerId}, ${at})`.execute(trx);
}

/** The signature of an approval ends with it. */
export async function setVersionStatus(trx: Db, versionId: number, auditStatus: 2 | 3): Promise<void> {
  await sql`
    update plugin_version set audit_status = ${auditStatus},
        signature = case when ${auditStatus} = 2 then signature end
      where id = ${versionId}`.execute(trx);
}

export async function setPluginStatus(
  trx: Db,
  pluginId: number,
  status: { audit_status: 2 | 3; current_version_id: number | null; updated_at: Date },
): Promise<void> {
  await trx.updateTable('plugin').set(status).where('id', '=', pluginId).execute();
}

/**
 * Approves a plugin, and makes a newly approved version the current one; one that was approved before only where the plugin
 * has none. A withdrawn version never becomes current, and an earlier one that is hidden does not either.
 */
export async function publishVersion(
  trx: Db,
  { pluginId, versionId, isNew, at }: { pluginId: number; versionId: number; isNew: boolean; at: Date },
): Promise<void> {
  await sql`
    update plugin p set audit_status = 2, updated_at = ${at},
        current_version_id = case
          when v.withdrawn_at is not null then p.current_version_id
          when ${isNew} then v.id
          when v.is_hidden then p.current_version_id
          else coalesce(p.current_version_id, v.id) end
      from plugin_version v where p.id = ${pluginId} and v.id = ${versionId}`.execute(trx);
  if (isNew) await insertPublication(trx, { pluginId, versionId, at });
}

/** Notes that followers are to be told of a version, each version once: it may be approved again after a refusal. */
async function insertPublication(
  trx: Db,
  { pluginId, versionId, at }: { pluginId: number; versionId: number; at: Date },
): Promise<void> {
  await sql`
    insert into publication (plugin_version_id, plugin_id, is_first, published_at)
      select v.id, v.plugin_id, not exists (select from publication where plugin_id = v.plugin_id)
          and not exists (
            select from plugin_version other
              where other.plugin_id = v.plugin_id and other.audit_status = 2 and other.id <> v.id), ${at}
        from plugin_version v
        where v.id = ${versionId} and v.plugin_id = ${pluginId} and v.withdrawn_at is null
      on conflict do nothing`.execute(trx);
}

/** Whether another submission of the same version is approved. */
export async function isApprovedByOther(
  db: Db,
  { id, plugin_version_id }: { id: number; plugin_version_id: number },
): Promise<boolean> {
  const { rows } = await sql`
    select from submission where plugin_version_id = ${plugin_version_id} and id <> ${id} and audit_status = 2
      limit 1`.execute(db);
  return rows.length > 0;
}

/** The version that becomes current when the approval of the current one is revoked: the latest approved one that is neither hidden nor withdrawn. */
export async function findFallbackVersion(db: Db, pluginId: number): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    select id from plugin_version where plugin_id = ${pluginId} and audit_status = 2 and not is_hidden
        and withdrawn_at is null
      order by created_at desc, id desc limit 1`.execute(db);
  return rows[0]?.id ?? null;
}

/** The listing of the latest approved submission. */
export async function readApprovedListing(db: Db, pluginId: number): Promise<StoredListing | undefined> {
  const { rows } = await sql<{ listing: StoredListing }>`
    select listing from submission where plugin_id = ${pluginId} and audit_status = 2
      order by coalesce(decided_at, created_at) desc, id desc limit 1`.execute(db);
  return rows[0]?.listing;
}

type Claim = {
  submissionId: number;
  userId: number;
  now: Date;
  until: Date;
  /** Whether the reviewer may not claim their own submissions. */
  isOwnBarred: boolean;
};

/** Claims a waiting submission that no other reviewer has claimed. @returns whether it succeeded */
export async function takeClaim(db: Db, claim: Claim): Promise<boolean> {
  const { submissionId, userId, now, until, isOwnBarred } = claim;
  const { rows } = await sql`
    update submission s set claimed_by = ${userId}, claimed_until = ${until}
      from plugin p, plugin_version v
      where s.id = ${submissionId} and s.audit_status = 1 and not s.is_superseded
        and p.id = s.plugin_id and v.id = s.plugin_version_id
        and (s.claimed_by is null or s.claimed_by = ${userId} or s.claimed_until <= ${now})
        and not (${isOwnBarred} and ${userId} in ${AUTHORS})
      returning s.id`.execute(db);
  return rows.length > 0;
}

/** Releases the reviewer's own claim, or an expired one. @returns false for the claim of another reviewer */
export async function releaseClaim(
  db: Db,
  { submissionId, userId, now }: Pick<Claim, 'submissionId' | 'userId' | 'now'>,
): Promise<boolean> {
  const { rows } = await sql`
    update submission set claimed_by = null, claimed_until = null
      where id = ${submissionId} and (claimed_by is null or claimed_by = ${userId} or claimed_until <= ${now})
      returning id`.execute(db);
  return rows.length > 0;
}

/** Converts the trials of a published plugin to installs, which are counted. */
export async function installTrials(trx: Db, pluginId: number, at: Date): Promise<void> {
  await sql`
    with tried as (
      delete from plugin_trial t using plugin p
        where t.plugin_id = ${pluginId} and p.id = t.plugin_id and p.is_visible returning t.user_id
    ), installed as (
      insert into plugin_install as i (user_id, plugin_id, installed_at, accepted_version_id)
        select tried.user_id, p.id, ${at}::timestamptz, p.current_version_id from tried, plugin p where p.id = ${pluginId}
        on conflict (user_id, plugin_id) do update
          set uninstalled_at = null, installed_at = excluded.installed_at, is_silent = false,
            accepted_version_id = excluded.accepted_version_id
          where i.uninstalled_at is not null
        returning 1
    )
    update plugin_counter set install_count = install_count + (select count(*) from installed)
      where plugin_id = ${pluginId} and exists (select from installed)`.execute(trx);
}
