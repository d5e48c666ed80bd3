import { sql } from 'kysely';
import type { Finding } from '../../../../shared/entities/finding.ts';
import type { Texts } from '../../../../shared/languages.ts';
import { fileKeysOf, pictureKeysOf } from '../../catalogue/submissions/listings.ts';
import type { Caller } from '../../people/auth/caller.ts';
import type { Db, StoredListing } from '../../schema.ts';

/**
 * Inserts the caller's row where it is missing, and locks it and that of the publisher until the transaction ends, so that
 * counts of their submissions and stored bytes are complete.
 */
export async function lockUsers(trx: Db, caller: Caller, publisherId: number): Promise<void> {
  const { user_id, nick_name, avatar_url, role } = caller;
  await sql`
    insert into person (user_id, nick_name, avatar_url, role) values (${user_id}, ${nick_name}, ${avatar_url}, ${role})
      on conflict (user_id) do nothing`.execute(trx);
  await sql`
    select from person where user_id = any (${[user_id, publisherId]}::bigint[])
      order by user_id for no key update`.execute(trx);
}

/** A plugin before a change. */
export type StoredPlugin = { id: number; publisher_id: number; has_passed: boolean };

/** A plugin that is not deleted; with `lock`, locked until the transaction ends. */
export async function readPlugin(
  db: Db,
  pluginKey: string,
  { lock }: { lock: boolean },
): Promise<StoredPlugin | undefined> {
  const { rows } = await sql<StoredPlugin>`
    select id, publisher_id, current_version_id is not null as has_passed from plugin
      where plugin_key = ${pluginKey} and deleted_at is null ${lock ? sql`for no key update` : sql``}`.execute(
    db,
  );
  return rows[0];
}

/** The latest submission of a plugin. */
export type LastSubmission = {
  id: number;
  plugin_version_id: number;
  listing: StoredListing;
  audit_status: 1 | 2 | 3;
  findings: Finding[];
  created_by: number;
  created_by_name: string;
  created_at: Date;
};

export async function readLastSubmission(db: Db, pluginId: number): Promise<LastSubmission | undefined> {
  const { rows } = await sql<LastSubmission>`
    select s.id, s.plugin_version_id, s.listing, s.audit_status, s.findings, s.created_by, s.created_at,
        person.nick_name as created_by_name
      from submission s join person on person.user_id = s.created_by
      where s.plugin_id = ${pluginId} and not s.is_superseded order by s.id desc limit 1`.execute(db);
  return rows[0];
}

/** A stored version. */
export type KnownVersion = {
  id: number;
  version: string;
  kind: 'new' | 'fixed';
  note: Texts;
  audit_status: 1 | 2 | 3;
  package_key: string | null;
  findings: Finding[];
};

/** Every version there ever was of a plugin, oldest first. */
export async function readVersions(db: Db, pluginId: number): Promise<KnownVersion[]> {
  const { rows } = await sql<KnownVersion>`
    select id, version, kind, note, audit_status, package_key, findings from plugin_version
      where plugin_id = ${pluginId} order by id`.execute(db);
  return rows;
}

/** A stored version with the same package and number. */
type RepeatedVersion = { plugin_key: string; version: string; audit_status: 1 | 2 | 3 };

export async function findByPackage(
  db: Db,
  { publisherId, packageKey, version }: { publisherId: number; packageKey: string; version: string },
): Promise<RepeatedVersion | undefined> {
  const { rows } = await sql<RepeatedVersion>`
    select p.plugin_key, v.version, v.audit_status
      from plugin_version v join plugin p on p.id = v.plugin_id
      where v.package_key = ${packageKey} and v.version = ${version} and p.publisher_id = ${publisherId}
        and p.deleted_at is null
      order by v.id desc limit 1`.execute(db);
  return rows[0];
}

export async function insertPlugin(
  trx: Db,
  plugin: { key: string; publisherId: number; externalId: string | null; listing: StoredListing; at: Date },
): Promise<number> {
  const { id } = await trx
    .insertInto('plugin')
    .values({
      plugin_key: plugin.key,
      publisher_id: plugin.publisherId,
      default_lang: plugin.listing.default_lang,
      external_id: plugin.externalId,
      created_at: plugin.at,
      updated_at: plugin.at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** A version with its package. */
export type NewVersion = {
  version: string;
  kind: 'new' | 'fixed';
  note: Texts;
  packageKey: string;
  packageBytes: number;
  manifest: unknown;
  allowedDomains: string[];
  findings: readonly Finding[];
};

export async function insertVersion(
  trx: Db,
  version: NewVersion,
  { pluginId, userId, at }: { pluginId: number; userId: number; at: Date },
): Promise<number> {
  const { id } = await trx
    .insertInto('plugin_version')
    .values({
      plugin_id: pluginId,
      version: version.version,
      kind: version.kind,
      note: JSON.stringify(version.note),
      package_key: version.packageKey,
      package_bytes: version.packageBytes,
      package_manifest: JSON.stringify(version.manifest),
      allowed_domains: version.allowedDomains,
      findings: JSON.stringify(version.findings),
      created_by: userId,
      created_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Sets a version that has not been approved to waiting again. */
export async function resubmitVersion(
  trx: Db,
  { id, kind, note }: { id: number; kind: 'new' | 'fixed'; note: Texts },
): Promise<void> {
  await sql`
    update plugin_version set audit_status = 1, kind = ${kind}, note = ${JSON.stringify(note)}
      where id = ${id}`.execute(trx);
}

/** Withdraws the submission that waits for review, for a newer one to replace it. */
export async function supersedeWaiting(trx: Db, pluginId: number): Promise<void> {
  await sql`
    update submission set is_superseded = true
      where plugin_id = ${pluginId} and audit_status = 1 and not is_superseded`.execute(trx);
}

export type NewSubmission = {
  pluginId: number;
  versionId: number;
  bringsVersion: boolean;
  isFirst: boolean;
  listing: StoredListing;
  findings: readonly Finding[];
  userId: number;
  at: Date;
};

/** Inserts a submission, with references to the files of its listing. */
export async function insertSubmission(trx: Db, submission: NewSubmission): Promise<void> {
  const { listing } = submission;
  const { id } = await trx
    .insertInto('submission')
    .values({
      plugin_id: submission.pluginId,
      plugin_version_id: submission.versionId,
      brings_version: submission.bringsVersion,
      is_first: submission.isFirst,
      listing: JSON.stringify(listing),
      findings: JSON.stringify(submission.findings),
      created_by: submission.userId,
      created_at: submission.at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const references = [
    ...pictureKeysOf(listing).map((picture_key) => ({ submission_id: id, picture_key, file_key: null })),
    ...fileKeysOf(listing).map((file_key) => ({ submission_id: id, picture_key: null, file_key })),
  ];
  if (references.length > 0) await trx.insertInto('submission_file').values(references).execute();
}

/** Adds to the stored bytes of a plugin; one that was never approved waits again, with the time of this change. */
export async function updateSubmittedPlugin(
  trx: Db,
  { pluginId, bytes, at, hasPassed }: { pluginId: number; bytes: number; at: Date; hasPassed: boolean },
): Promise<void> {
  await trx
    .updateTable('plugin')
    .set(({ eb }) => ({
      stored_bytes: eb('stored_bytes', '+', bytes),
      ...(!hasPassed && { audit_status: 1 as const, updated_at: at }),
    }))
    .where('id', '=', pluginId)
    .execute();
}

/** Times of a user's submissions, milliseconds since 1970, newest first. */
export async function readSubmissionTimes(
  db: Db,
  { userId, since, limit }: { userId: number; since: Date; limit: number },
): Promise<number[]> {
  const { rows } = await sql<{ created_at: Date }>`
    select created_at from submission where created_by = ${userId} and created_at > ${since}
      order by created_at desc limit ${limit}`.execute(db);
  return rows.map(({ created_at }) => created_at.getTime());
}

/** Bytes ever stored for a publisher's plugins, including deleted ones, whose packages are kept for users who installed them. */
export async function readStoredBytes(db: Db, publisherId: number): Promise<number> {
  const { rows } = await sql<{ bytes: string }>`
    select coalesce(sum(stored_bytes), 0) as bytes from plugin where publisher_id = ${publisherId}`.execute(
    db,
  );
  return Number(rows[0]?.bytes ?? 0);
}
