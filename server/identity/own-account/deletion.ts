import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import type { Transaction } from 'kysely';
import { ROLE_SUPER_ADMIN } from '../../../shared/constants.ts';
import type { BodyOf, DataOf } from '../../../shared/route.ts';
import type { accountRoutes, OwnDeletion } from '../../../shared/routes/account.ts';
import { appError } from '../../http/errors.ts';
import { validationFailed } from '../accounts/account.ts';
import {
  hasOtherSuperAdmin,
  insertMemberChange,
  lockAccount,
  recordAccountChange,
} from '../accounts/change-store.ts';
import { type MailContext, notifyOwner } from '../mail/account-mails.ts';
import type { Account, IdentityDb, IdentityTables } from '../schema.ts';
import type { Random } from '../secret.ts';
import type { Caller } from '../sessions/caller.ts';
import { readSessionsOf, revokeSessionsOf } from '../sessions/store.ts';
import { sendBackchannelLogout } from '../sessions/tokens.ts';
import type { SignInContext } from '../sign-in/context.ts';
import { readExternalsOf } from '../sign-in/federation/store.ts';
import { deleteLinksOf } from '../sign-in/password/store.ts';
import { reauthenticate, requiredProof } from '../sign-in/reauthenticate.ts';
import { acquireAdvisoryLock } from '../store.ts';
import { eraseAccount, isLastOwner, lockDueAccount, scheduleDeletion } from './store.ts';

export type DeletionContext = SignInContext & {
  /** Milliseconds during which a sign-in cancels the deletion of an account; 0 deletes it immediately. */
  deletionDelay: number;
};

const USER_NAME_BYTES = 12;

/** Why an account cannot be deleted; null when it can. */
async function findRefusal(db: IdentityDb, account: Account): Promise<OwnDeletion['refused_by']> {
  const { user_id, role } = account;
  if (role === ROLE_SUPER_ADMIN && !(await hasOtherSuperAdmin(db, user_id))) return 'LAST_SUPER_ADMIN';
  return (await isLastOwner(db, user_id)) ? 'LAST_OWNER' : null;
}

/** What the caller must prove to delete their account, and what would be deleted with it in this service. */
export async function readDeletion(identity: DeletionContext, caller: Caller): Promise<OwnDeletion> {
  const { db, now, deletionDelay } = identity;
  const { user } = caller;
  const [proof, refused_by, sessions, externals] = await Promise.all([
    requiredProof(identity, caller),
    findRefusal(db, user),
    readSessionsOf(db, user.user_id, { at: new Date(now()), kind: 'browser' }),
    readExternalsOf(db, user.user_id),
  ]);
  return {
    proof,
    delay: deletionDelay,
    refused_by,
    session_count: sessions.length,
    linked_count: externals.length,
  };
}

type DeletionRequest = { body: BodyOf<(typeof accountRoutes)['deleteAccount']>; request: FastifyRequest };

/**
 * Signs the caller out everywhere and deletes the account: immediately, or after a delay during which a sign-in cancels the
 * deletion.
 * @throws VALIDATION_FAILED at /nick_name, LAST_SUPER_ADMIN, LAST_OWNER, and what `reauthenticate` throws
 */
export async function deleteAccount(
  identity: DeletionContext,
  caller: Caller,
  { body, request }: DeletionRequest,
): Promise<DataOf<(typeof accountRoutes)['deleteAccount']>> {
  const { deletionDelay: delay, now } = identity;
  const { user_id, nick_name } = caller.user;
  if (body.nick_name.trim().normalize('NFC') !== nick_name) {
    throw validationFailed('/nick_name', 'must be the name of this account');
  }
  const refusal = await findRefusal(identity.db, caller.user);
  if (refusal) throw appError(refusal);
  await reauthenticate(identity, caller, { typed: body, request });
  const at = new Date(now());
  const deleteAt = new Date(at.getTime() + delay);
  const account = await identity.db.transaction().execute(async (db) => {
    await acquireAdvisoryLock(db, 'members');
    const locked = await lockAccount(db, user_id);
    if (!locked) throw appError('TOKEN_INVALID');
    const refused = await findRefusal(db, locked);
    if (refused) throw appError(refused);
    const scheduled = { delete_at: deleteAt, delete_plugins: body.plugins, delete_language: body.language };
    await scheduleDeletion(db, user_id, { ...scheduled, at });
    await revokeSessionsOf(db, user_id, at);
    await deleteLinksOf(db, user_id);
    await recordChange(db, {
      userId: user_id,
      action: 'account.delete_asked',
      at,
      detail: { plugins: body.plugins },
    });
    if (delay === 0) await erase(db, identity.random, { account: locked, at });
    return { ...locked, ...scheduled };
  });
  request.log.info({ user_id, delete_at: deleteAt, action: 'account.delete' }, 'account changed');
  notifyOwner(identity, account, delay === 0 ? 'deleted' : 'deletion', { at: deleteAt, log: request.log });
  await sendBackchannelLogout(identity, { userId: user_id }, request.log);
  return { delete_at: delay === 0 ? null : deleteAt.toISOString() };
}

/**
 * Deletes the accounts whose delay has passed, one per transaction. One that fails stops nobody else: the next sweep tries it
 * again.
 * @returns the number of deleted accounts
 */
export async function deleteDueAccounts(
  identity: MailContext & { random: Random },
  log: FastifyBaseLogger,
): Promise<number> {
  const failed: number[] = [];
  for (let deleted = 0; ; ) {
    const at = new Date(identity.now());
    let due: Account | undefined;
    const account = await identity.db
      .transaction()
      .execute(async (db) => {
        due = await lockDueAccount(db, { at, except: failed });
        if (due) await erase(db, identity.random, { account: due, at });
        return due;
      })
      .catch((error: unknown) => {
        if (!due) throw error;
        failed.push(due.user_id);
        log.error({ err: error, user_id: due.user_id }, 'account not deleted, retried later');
        return 'failed' as const;
      });
    if (account === 'failed') continue;
    if (!account) return deleted;
    deleted += 1;
    log.info({ user_id: account.user_id }, 'account deleted');
    notifyOwner(identity, account, 'deleted', { at, log });
  }
}

async function erase(
  db: Transaction<IdentityTables>,
  random: Random,
  { account, at }: { account: Account; at: Date },
): Promise<void> {
  const userName = `deleted_${random(USER_NAME_BYTES).toString('hex')}`;
  await eraseAccount(db, account, { at, userName });
  await recordAccountChange(db, account.user_id, at);
  await recordChange(db, { userId: account.user_id, action: 'account.delete', at, detail: {} });
}

function recordChange(
  db: IdentityDb,
  { userId, at, ...change }: { userId: number; action: string; at: Date; detail: Record<string, string> },
): Promise<void> {
  return insertMemberChange(db, { ...change, actor_id: userId, user_id: userId, created_at: at });
}
