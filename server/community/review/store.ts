import { sql } from 'kysely';
import type { PublicUser } from '../../../shared/entities/user.ts';
import type { Texts } from '../../../shared/languages.ts';
import { publicUserOf } from '../people.ts';
import type { Db, StoredListing } from '../schema.ts';

/** What a decision depends on beside the submission itself. */
export type Standing = {
  plugin_key: string;
  name: string;
  version: string;
  version_note: Texts;
  brings_version: boolean;
  publisher_id: number;
  created_by: number;
  reason: string | null;
  decided_at: Date | null;
  decided_by: PublicUser | null;
  claimed_until: Date | null;
  claimed_by: PublicUser | null;
  current_version_id: number | null;
  plugin_status: 1 | 2 | 3;
};

export async function readStanding(db: Db, submissionId: number): Promise<Standing | undefined> {
  const { rows } = await sql<Standing>`
    select p.plugin_key, p.current_version_id, p.audit_status as plugin_status, v.version, v.note as version_note,
        s.brings_version, p.publisher_id, s.created_by,
        coalesce(s.listing -> 'name' ->> (s.listing ->> 'default_lang'),
          (select value from jsonb_each_text(s.listing -> 'name') limit 1), '') as name,
        s.reason, s.decided_at, ${publicUserOf('s.decided_by')} as decided_by,
        s.claimed_until, ${publicUserOf('s.claimed_by')} as claimed_by
      from submission s join plugin p on p.id = s.plugin_id join plugin_version v on v.id = s.plugin_version_id
      where s.id = ${submissionId}`.execute(db);
  return rows[0];
}

/** Who handed a later submission of the same plugin in, or decided it; undefined when there is none. */
export type Later = { by: PublicUser; at: Date; audit_status: 1 | 2 | 3 };

export async function readLater(
  db: Db,
  { id, plugin_id }: { id: number; plugin_id: number },
  statuses: readonly number[],
): Promise<Later | undefined> {
  const { rows } = await sql<Later>`
    select coalesce(${publicUserOf('s.decided_by')}, ${publicUserOf('s.created_by')}) as by,
        coalesce(s.decided_at, s.created_at) as at, s.audit_status
      from submission s
      where s.plugin_id = ${plugin_id} and s.id > ${id} and not s.is_superseded
        and s.audit_status = any (${[...statuses]}::smallint[])
      order by s.id desc limit 1`.execute(db);
  return rows[0];
}

/** The submission of a plugin that a decision without its id is about: the newest, or the newest of a version. */
export async function findNewest(
  db: Db,
  pluginId: number,
  version: string | undefined,
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select s.id from submission s join plugin_version v on v.id = s.plugin_version_id
      where s.plugin_id = ${pluginId} and not s.is_superseded
        ${version === undefined ? sql`` : sql`and v.version = ${version}`}
      order by s.id desc limit 1`.execute(db);
  return rows[0]?.id;
}

type Verdict = {
  submissionId: number;
  auditStatus: 2 | 3;
  reason: string | null;
  reviewerId: number;
  at: Date;
};

/** Writes a decision to the submission and to the list of all there were; a claim ends with it. */
export async function writeVerdict(trx: Db, verdict: Verdict): Promise<void> {
  const { submissionId, auditStatus, reason, reviewerId, at } = verdict;
  await sql`
    update submission set audit_status = ${auditStatus}, reason = ${reason}, decided_by = ${reviewerId},
        decided_at = ${at}, claimed_by = null, claimed_until = null
      where id = ${submissionId}`.execute(trx);
  await sql`
    insert into review (submission_id, audit_status, reason, reviewer_id, created_at)
      values (${submissionId}, ${auditStatus}, ${reason}, ${reviewerId}, ${at})`.execute(trx);
}

export async function setVersionStatus(trx: Db, versionId: number, auditStatus: 2 | 3): Promise<void> {
  await sql`update plugin_version set audit_status = ${auditStatus} where id = ${versionId}`.execute(trx);
}

export async function setPluginStanding(
  trx: Db,
  pluginId: number,
  standing: { audit_status: 2 | 3; current_version_id: number | null; updated_at: Date },
): Promise<void> {
  await trx.updateTable('plugin').set(standing).where('id', '=', pluginId).execute();
}

/** Another submission by which this version has passed, if there is one. */
export async function isPassedOtherwise(
  db: Db,
  { id, plugin_version_id }: { id: number; plugin_version_id: number },
): Promise<boolean> {
  const { rows } = await sql`
    select from submission where plugin_version_id = ${plugin_version_id} and id <> ${id} and audit_status = 2
      limit 1`.execute(db);
  return rows.length > 0;
}

/** The version that others see when the current one is taken back: the last that has passed and is not hidden. */
export async function findFallbackVersion(db: Db, pluginId: number): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    select id from plugin_version where plugin_id = ${pluginId} and audit_status = 2 and not is_hidden
      order by created_at desc, id desc limit 1`.execute(db);
  return rows[0]?.id ?? null;
}

/** The listing that passed last, apart from what has been taken back. */
export async function readPassedListing(db: Db, pluginId: number): Promise<StoredListing | undefined> {
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
  /** Whether what they have submitted themselves is not for them. */
  isOwnBarred: boolean;
};

/** Takes a waiting submission that nobody else holds at present; answers whether it was to be had. */
export async function takeClaim(db: Db, claim: Claim): Promise<boolean> {
  const { submissionId, userId, now, until, isOwnBarred } = claim;
  const { rows } = await sql`
    update submission set claimed_by = ${userId}, claimed_until = ${until}
      where id = ${submissionId} and audit_status = 1 and not is_superseded
        and (claimed_by is null or claimed_by = ${userId} or claimed_until <= ${now})
        and not (${isOwnBarred} and created_by = ${userId})
      returning id`.execute(db);
  return rows.length > 0;
}

/** Lets go of a submission; a claim that has run out is nobody's. Answers whether the claim was one's own. */
export async function dropClaim(
  db: Db,
  { submissionId, userId, now }: Pick<Claim, 'submissionId' | 'userId' | 'now'>,
): Promise<boolean> {
  const { rows } = await sql`
    update submission set claimed_by = null, claimed_until = null
      where id = ${submissionId} and (claimed_by is null or claimed_by = ${userId} or claimed_until <= ${now})
      returning id`.execute(db);
  return rows.length > 0;
}

/** A submission of a plugin that is not deleted: what a claim that failed is told. */
export async function readClaimed(
  db: Db,
  submissionId: number,
): Promise<{ id: number; plugin_id: number; audit_status: 1 | 2 | 3; is_superseded: boolean } | undefined> {
  const { rows } = await sql<{
    id: number;
    plugin_id: number;
    audit_status: 1 | 2 | 3;
    is_superseded: boolean;
  }>`
    select s.id, s.plugin_id, s.audit_status, s.is_superseded
      from submission s join plugin p on p.id = s.plugin_id and p.deleted_at is null
      where s.id = ${submissionId}`.execute(db);
  return rows[0];
}

/** Makes ordinary installs, which count, of the trials of a plugin that has become public. */
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
