import { sql } from 'kysely';
import type { PublicUser } from '../../../../shared/entities/user.ts';
import type { Texts } from '../../../../shared/languages.ts';
import { publicUserOf } from '../../people/store.ts';
import type { Db, StoredListing } from '../../schema.ts';

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

export type Verdict = {
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
