import { type RawBuilder, sql } from 'kysely';
import type { PublicUser } from '../../../../shared/entities/user.ts';
import type { Texts } from '../../../../shared/languages.ts';
import { type Names, nameIn } from '../../names.ts';
import { boundedCount } from '../../pages.ts';
import type { Db } from '../../schema.ts';
import type { Caller } from '../auth/caller.ts';
import { publicUserOf, upsertUser } from '../users.ts';

/** Details of a change; never a secret. */
export type AuditLogDetail = Readonly<Record<string, string | number | boolean | null>>;

export type NewAuditLogEntry = {
  actorId: number;
  /** `kind.verb`, such as `slot.add`. */
  action: string;
  targetKind: string;
  targetId: string | number;
  /** Name of the target at the time of the change, or its names. */
  targetName: string | Names;
  detail?: AuditLogDetail;
};

/** Inserts an entry of the audit log in the transaction of the change. */
export async function writeAuditLog(db: Db, entry: NewAuditLogEntry): Promise<void> {
  const { targetName } = entry;
  const [name, names] =
    typeof targetName === 'string'
      ? [targetName, null]
      : [nameIn(targetName, targetName.default_lang), JSON.stringify(targetName.names)];
  await sql`
    insert into audit_trail (actor_id, action, target_kind, target_id, target_name, target_names, detail)
      values (${entry.actorId}, ${entry.action}, ${entry.targetKind}, ${String(entry.targetId)}, ${name}, ${names},
        ${JSON.stringify(entry.detail ?? {})})`.execute(db);
}

/** Records a change of the caller, with their current name, in the transaction of the change. */
export async function recordChange(
  trx: Db,
  caller: Caller,
  entry: Omit<NewAuditLogEntry, 'actorId'>,
): Promise<void> {
  await upsertUser(trx, caller);
  await writeAuditLog(trx, { actorId: caller.user_id, ...entry });
}

export type AuditLogRow = {
  id: number;
  actor: PublicUser;
  action: string;
  target_kind: string;
  target_id: string;
  target_name: string;
  target_names: Texts | null;
  detail: AuditLogDetail;
  created_at: Date;
};

/** Filters of entries; each has an index in the order of the list. */
export type AuditLogFilter = { action?: string; target_kind?: string; target_id?: string; actor_id?: number };

const columns = sql`id, ${publicUserOf('t.actor_id')} as actor, action, target_kind, target_id, target_name, target_names, detail,
  created_at`;

/** A page of entries, newest first; `after` is time and id of the last row of the page before. */
export async function readAuditLogRows(
  db: Db,
  filter: AuditLogFilter,
  { after, limit }: { after: readonly [number, number] | undefined; limit: number },
): Promise<AuditLogRow[]> {
  const place = after ? [sql<boolean>`(created_at, id) < (${new Date(after[0])}, ${after[1]})`] : [];
  const { rows } = await sql<AuditLogRow>`
    select ${columns} from audit_trail t where ${all([...conditionsOf(filter), ...place])}
      order by created_at desc, id desc limit ${limit}`.execute(db);
  return rows;
}

/** Counts entries, up to one more than is shown exactly. */
export function countAuditLog(db: Db, filter: AuditLogFilter): Promise<number> {
  return boundedCount(db, sql`from audit_trail where ${all(conditionsOf(filter))}`);
}

/** Entries of a time span, oldest first; `from` is inclusive, `until` is exclusive. */
export async function readAuditLogSpan(
  db: Db,
  span: { from: Date; until: Date; after: readonly [Date, number] | undefined },
  limit: number,
): Promise<AuditLogRow[]> {
  const { from, until, after } = span;
  const { rows } = await sql<AuditLogRow>`
    select ${columns} from audit_trail t
      where created_at < ${until}
        and ${after ? sql`(created_at, id) > (${after[0]}, ${after[1]})` : sql`created_at >= ${from}`}
      order by created_at, id limit ${limit}`.execute(db);
  return rows;
}

function conditionsOf(filter: AuditLogFilter): RawBuilder<boolean>[] {
  return Object.entries(filter)
    .filter(([, value]) => value !== undefined)
    .map(([column, value]) => sql<boolean>`${sql.ref(column)} = ${value}`);
}

function all(conditions: readonly RawBuilder<boolean>[]): RawBuilder<unknown> {
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
}
