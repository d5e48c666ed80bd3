import { type InsertObject, sql, type Transaction } from 'kysely';
import { ATTEMPT_RETENTION } from './attempts/rate-limit.ts';
import {
  NETWORK_LIFETIME,
  NOTICE_MAIL_RETENTION,
  ROLE_CHANGE_RETENTION,
  USED_CODE_RETENTION,
} from './lifetimes.ts';
import type { IdentityDb, IdentityTables } from './schema.ts';

/** Waits until no other instance holds the lock of this name; it is released with the transaction. */
export async function acquireAdvisoryLock(db: Transaction<IdentityTables>, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`plugin-square identity: ${name}`}, 0))`.execute(
    db,
  );
}

/** Tables whose rows are useless after `expires_at`. */
const EXPIRING_TABLES = [
  'refresh_token',
  'session',
  'sso_login',
  'used_proof',
  'pending_bind',
  'second_factor_setup',
  'sign_in_challenge',
  'password_link',
  'sign_up_link',
  'address_link',
  'account_mail',
] as const;

/**
 * Deletes rows that no longer matter, also of the other tables if one fails.
 * @throws AggregateError
 */
export async function deleteExpiredRows(db: IdentityDb, now: number): Promise<void> {
  const before = (age: number): Date => new Date(now - age);
  const deletions = [
    db.deleteFrom('authorization_code').where('expires_at', '<=', before(USED_CODE_RETENTION)),
    ...EXPIRING_TABLES.map((table) => db.deleteFrom(table).where('expires_at', '<=', before(0))),
    db.deleteFrom('attempt').where('last_at', '<=', before(ATTEMPT_RETENTION)),
    db.deleteFrom('notice_mail').where('created_at', '<', before(NOTICE_MAIL_RETENTION)),
    db.deleteFrom('role_change').where('changed_at', '<', before(ROLE_CHANGE_RETENTION)),
    db.deleteFrom('known_network').where('last_at', '<=', before(NETWORK_LIFETIME)),
  ];
  const failures: unknown[] = [];
  for (const deletion of deletions) await deletion.execute().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw new AggregateError(failures, 'expired rows could not be deleted');
}

export async function insertRow<T extends keyof IdentityTables>(
  db: IdentityDb,
  table: T,
  row: InsertObject<IdentityTables, T>,
): Promise<void> {
  await db.insertInto(table).values(row).execute();
}

/** Consumes a mailed link. Returns true to one of any number of concurrent callers. */
export async function consumeLink(
  db: IdentityDb,
  table: 'password_link' | 'sign_up_link',
  tokenHash: Buffer,
  at: Date,
): Promise<boolean> {
  const result = await db
    .deleteFrom(table)
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', at)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}
