import { sql } from 'kysely';
import type { PublicUser } from '../../../../shared/entities/user.ts';
import type { Texts } from '../../../../shared/languages.ts';
import { WITHDRAWN, type Withdrawn } from '../../catalogue/withdrawal/withdrawn.ts';
import { publicUserOf } from '../../people/users.ts';
import type { Db, StoredListing } from '../../schema.ts';

/** Records that a reviewer has opened a submission, if it exists. */
export async function recordReviewView(
  db: Db,
  { submissionId, userId, at }: { submissionId: number; userId: number; at: Date },
): Promise<void> {
  await sql`
    insert into review_opening (submission_id, user_id, opened_at)
      select id, ${userId}, ${at} from submission where id = ${submissionId}
      on conflict do nothing`.execute(db);
}

/** Details of a submission beside its row in the list. */
export type DetailRow = {
  version_note: Texts;
  package_manifest: unknown;
  allowed_domains: string[];
  host_range: string | null;
  current_version_id: number | null;
  package_bytes: number;
  created_at: Date;
};

export async function readDetailRow(db: Db, submissionId: number): Promise<DetailRow | undefined> {
  const { rows } = await sql<DetailRow>`
    select v.note as version_note, v.package_manifest, v.allowed_domains, v.host_range, v.package_bytes, p.created_at,
        p.current_version_id
      from submission s join plugin p on p.id = s.plugin_id join plugin_version v on v.id = s.plugin_version_id
      where s.id = ${submissionId}`.execute(db);
  return rows[0];
}

/** The version and listing that were approved when this was submitted. */
type PassedRow = { version: string; plugin_version_id: number; listing: StoredListing };

export async function readPassedBefore(db: Db, submissionId: number): Promise<PassedRow | undefined> {
  const { rows } = await sql<PassedRow>`
    select v.version, before.plugin_version_id, before.listing
      from submission s
      join submission before on before.plugin_id = s.plugin_id and before.id < s.id and before.audit_status = 2
      join plugin_version v on v.id = before.plugin_version_id
      where s.id = ${submissionId}
      order by before.id desc limit 1`.execute(db);
  return rows[0];
}

/** The permissions and domains of a version, and the tools that it works in. */
type PermissionsRow = {
  version: string;
  package_manifest: unknown;
  allowed_domains: string[];
  host_range: string | null;
};

export async function readVersionPermissions(db: Db, versionId: number): Promise<PermissionsRow | undefined> {
  return db
    .selectFrom('plugin_version')
    .select(['version', 'package_manifest', 'allowed_domains', 'host_range'])
    .where('id', '=', versionId)
    .executeTakeFirst();
}

type Named = { code: string; name: Texts };

/** Names of the tags and marks with these codes, including hidden ones. */
export async function readNames(
  db: Db,
  codes: { tags: readonly string[]; marks: readonly string[] },
): Promise<Record<'tags' | 'marks', Named[]>> {
  const [tags, marks] = await Promise.all([
    sql<Named>`select code, name from tag where code = any (${[...codes.tags]})`.execute(db),
    sql<Named>`select code, name from mark where code = any (${[...codes.marks]})`.execute(db),
  ]);
  return { tags: tags.rows, marks: marks.rows };
}

type DecisionRow = {
  submission_id: number;
  version: string;
  audit_status: 2 | 3;
  reason: string | null;
  reviewer: PublicUser;
  decided_at: Date;
};

const DECISIONS_SHOWN = 200;

/** Decisions on the plugin of a submission, newest first. */
export async function readDecisions(db: Db, submissionId: number): Promise<DecisionRow[]> {
  const { rows } = await sql<DecisionRow>`
    select r.submission_id, v.version, r.audit_status, r.reason, ${publicUserOf('r.reviewer_id')} as reviewer,
        r.created_at as decided_at
      from submission this
      join submission s on s.plugin_id = this.plugin_id
      join plugin_version v on v.id = s.plugin_version_id
      join review r on r.submission_id = s.id
      where this.id = ${submissionId}
      order by r.created_at desc, r.id desc limit ${DECISIONS_SHOWN}`.execute(db);
  return rows;
}

/** Name and size of a package in the file store; null for a version without one. */
export type PackageRow = { name: string; bytes: number } | null;

type PackageRows = {
  withdrawn: Withdrawn | null;
  passed_version: string | null;
  before: PackageRow;
  after: PackageRow;
};

/**
 * The packages of a submission and of the version approved before it that is not withdrawn; undefined for an unknown
 * submission.
 */
export async function readPackageRows(db: Db, submissionId: number): Promise<PackageRows | undefined> {
  const { rows } = await sql<PackageRows>`
    select ${WITHDRAWN} as withdrawn, passed.version as passed_version, ${packageOf('passed.package_key')} as before,
        ${packageOf('v.package_key')} as after
      from submission s
      join plugin p on p.id = s.plugin_id
      join plugin_version v on v.id = s.plugin_version_id
      left join lateral (
        select pv.version, pv.package_key
          from submission before join plugin_version pv on pv.id = before.plugin_version_id
          where before.plugin_id = s.plugin_id and before.id < s.id and before.audit_status = 2
            and pv.withdrawn_at is null
          order by before.id desc limit 1
      ) passed on true
      where s.id = ${submissionId}`.execute(db);
  return rows[0];
}

function packageOf(key: string) {
  return sql<PackageRow>`(
    select jsonb_build_object('name', file_key || '.' || extension, 'bytes', bytes)
      from stored_file where file_key = ${sql.ref(key)})`;
}
