import type { Kysely } from 'kysely';
import { accounts } from './baseline/accounts.ts';
import { federation } from './baseline/federation.ts';
import { mails } from './baseline/mails.ts';
import { sessions } from './baseline/sessions.ts';
import { signIns } from './baseline/sign-ins.ts';

/** A part refers to tables of those before it. */
const PARTS = [accounts, sessions, signIns, federation, mails];

/** The schema of release 1.0.0. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const part of PARTS) await part.execute(db);
}
