import type { Selectable } from 'kysely';
import type { IdentityDb, IdentityTables } from '../../schema.ts';

export type AuthorizationCode = Selectable<IdentityTables['authorization_code']>;

/** Consumes a code; only one of any number of concurrent callers gets it. */
export function consumeCode(
  db: IdentityDb,
  codeHash: Buffer,
  at: Date,
): Promise<AuthorizationCode | undefined> {
  return db
    .updateTable('authorization_code')
    .set({ used_at: at })
    .where('code_hash', '=', codeHash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', at)
    .returningAll()
    .executeTakeFirst();
}

export async function setCodeSession(db: IdentityDb, codeHash: Buffer, sid: string): Promise<void> {
  await db.updateTable('authorization_code').set({ sid }).where('code_hash', '=', codeHash).execute();
}

/** The session a used code was exchanged for. */
export function sessionOfUsedCode(
  db: IdentityDb,
  codeHash: Buffer,
): Promise<{ sid: string; user_id: number } | undefined> {
  return db
    .selectFrom('authorization_code as code')
    .innerJoin('session', 'session.sid', 'code.sid')
    .select(['session.sid', 'session.user_id'])
    .where('code.code_hash', '=', codeHash)
    .where('code.used_at', 'is not', null)
    .executeTakeFirst();
}
