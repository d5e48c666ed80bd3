import { type RawBuilder, sql } from 'kysely';
import type { Finding } from '../../../../shared/entities/finding.ts';
import type { Texts } from '../../../../shared/languages.ts';
import type { PluginAccess } from '../../catalogue/plugins/store.ts';
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

/** What the limits depend on: submissions of a user, and bytes stored for a publisher. */
export type Usage = {
  /** Times of the latest submissions, milliseconds since 1970, newest first. */
  submitted: number[];
  /** Of all their plugins, including deleted ones, whose packages are kept for users who installed them. */
  storedBytes: number;
};

/** The submissions of a user that are counted. */
export type Counted = { userId: number; since: Date; limit: number };

type UsageRow = { submitted: Date[]; stored_bytes: number };

/** SQL for the columns of a {@link UsageRow}. */
function usageColumns(publisherId: RawBuilder<unknown>, { userId, since, limit }: Counted) {
  return sql`
    array(
      select created_at from submission where created_by = ${userId} and created_at > ${since}
        order by created_at desc limit ${limit}
    ) as submitted,
    (select coalesce(sum(stored_bytes), 0) from plugin where publisher_id = ${publisherId})::bigint as stored_bytes`;
}

function toUsage({ submitted, stored_bytes }: UsageRow): Usage {
  return { submitted: submitted.map((time) => time.getTime()), storedBytes: stored_bytes };
}

/** The version that a publisher has stored with the same package and number. */
export type RepeatedVersion = { plugin_key: string; version: string; audit_status: 1 | 2 | 3 };

/** What a new plugin is checked against. */
export type PublisherState = { usage: Usage; repeated: RepeatedVersion | null };

/** @param version of the new plugin, to find where it is repeated */
export async function readPublisher(
  db: Db,
  counted: Counted,
  version: Pick<NewVersion, 'version' | 'packageKey'> | null,
): Promise<PublisherState> {
  const { packageKey = null, version: number = null } = version ?? {};
  const { rows } = await sql<UsageRow & { repeated: RepeatedVersion | null }>`
    select ${usageColumns(sql`${counted.userId}`, counted)}, (
      select jsonb_build_object('plugin_key', p.plugin_key, 'version', v.version, 'audit_status', v.audit_status)
        from plugin_version v join plugin p on p.id = v.plugin_id
        where v.package_key = ${packageKey} and v.version = ${number} and p.publisher_id = ${counted.userId}
          and p.deleted_at is null
        order by v.id desc limit 1
    ) as repeated`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('a select without a table returned no row');
  return { usage: toUsage(row), repeated: row.repeated };
}

/** The latest submission of a plugin; its time is ISO 8601. */
export type LastSubmission = {
  id: number;
  plugin_version_id: number;
  listing: StoredListing;
  audit_status: 1 | 2 | 3;
  created_by: number;
  created_by_name: string;
  created_at: string;
};

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

/** A plugin that is not deleted, with all that its changes are checked against. */
export type PluginState = PluginAccess & {
  plugin_key: string;
  has_passed: boolean;
  last: LastSubmission | null;
  /** Every version there ever was, oldest first. */
  versions: KnownVersion[];
  usage: Usage;
};

/** Reads the state of a plugin in one statement, so that all of it is of the same moment. */
export async function readPluginState(
  db: Db,
  pluginKey: string,
  counted: Counted,
): Promise<PluginState | undefined> {
  const { rows } = await sql<Omit<PluginState, 'usage'> & UsageRow>`
    select p.id, p.plugin_key, p.publisher_id, p.is_visible, p.current_version_id is not null as has_passed, (
      select jsonb_build_object('id', s.id, 'plugin_version_id', s.plugin_version_id, 'listing', s.listing,
          'audit_status', s.audit_status, 'created_by', s.created_by, 'created_by_name', person.nick_name,
          'created_at', s.created_at)
        from submission s join person on person.user_id = s.created_by
        where s.plugin_id = p.id and not s.is_superseded order by s.id desc limit 1
    ) as last, (
      select coalesce(jsonb_agg(jsonb_build_object('id', id, 'version', version, 'kind', kind, 'note', note,
          'audit_status', audit_status, 'package_key', package_key, 'findings', findings) order by id), '[]')
        from plugin_version where plugin_id = p.id
    ) as versions, ${usageColumns(sql.ref('p.publisher_id'), counted)}
      from plugin p where p.plugin_key = ${pluginKey} and p.deleted_at is null`.execute(db);
  const [row] = rows;
  if (!row) return undefined;
  const { submitted, stored_bytes, ...state } = row;
  return { ...state, usage: toUsage({ submitted, stored_bytes }) };
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
  /** Null for all design tools. */
  hostRange: string | null;
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
      host_range: version.hostRange,
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
  includesVersion: boolean;
  isFirst: boolean;
  listing: StoredListing;
  findings: readonly Finding[];
  userId: number;
  at: Date;
};

/** Inserts a submission, with references to the files of its listing. @returns its id */
export async function insertSubmission(trx: Db, submission: NewSubmission): Promise<number> {
  const { listing } = submission;
  const { rows } = await sql<{ id: number }>`
    with added as (
      insert into submission (plugin_id, plugin_version_id, brings_version, is_first, listing, findings, created_by,
          created_at)
        values (${submission.pluginId}, ${submission.versionId}, ${submission.includesVersion}, ${submission.isFirst},
          ${JSON.stringify(listing)}, ${JSON.stringify(submission.findings)}, ${submission.userId}, ${submission.at})
        returning id
    ), referenced as (
      insert into submission_file (submission_id, picture_key, file_key)
        select id, key, null from added, unnest(${pictureKeysOf(listing)}::text[]) key
        union all select id, null, key from added, unnest(${fileKeysOf(listing)}::text[]) key
    )
    select id from added`.execute(trx);
  const [row] = rows;
  if (!row) throw new Error('insert returned no id');
  return row.id;
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
