import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import type { Transaction } from 'kysely';
import { BASE_PATH, ROLE_SUPER_ADMIN } from '../../../shared/constants.ts';
import { FALLBACK_LANGUAGE } from '../../../shared/languages.ts';
import type { BodyOf, DataOf } from '../../../shared/route.ts';
import type { accountRoutes, OwnDeletion } from '../../../shared/routes/account.ts';
import { appError } from '../../http/errors.ts';
import { proofWanted, reauthenticate } from '../accounts/reauthenticate.ts';
import type { IdentityContext } from '../context.ts';
import { readExternalsOf } from '../federation/store.ts';
import type { Mail } from '../mail/mailer.ts';
import { deletedMail, deletionMail, deletionOffMail } from '../mail/mails.ts';
import { hasOtherSuperAdmin, insertMemberChange, lockAccount } from '../members/store.ts';
import { deleteLinksOf } from '../password/store.ts';
import type { Account, IdentityDb, IdentityTables } from '../schema.ts';
import type { Random } from '../secret.ts';
import { sendBackchannelLogout } from '../sessions/backchannel-logout.ts';
import type { Caller } from '../sessions/caller.ts';
import { LISTED } from '../sessions/own-sessions.ts';
import { readSessionsOf, revokeSessionsOf } from '../sessions/store.ts';
import { acquireAdvisoryLock } from '../store.ts';
import {
  askDeletion,
  callDeletionOff,
  eraseAccount,
  isLastOwner,
  lockDueAccount,
  noteAccountChange,
} from './store.ts';

const USER_NAME_BYTES = 12;

/** Why an account must stay; a super administrator who is going does not count for others. */
async function refusalOf(db: IdentityDb, account: Account): Promise<OwnDeletion['refused_by']> {
  const { user_id, role } = account;
  if (role === ROLE_SUPER_ADMIN && !(await hasOtherSuperAdmin(db, user_id))) return 'LAST_SUPER_ADMIN';
  return (await isLastOwner(db, user_id)) ? 'LAST_OWNER' : null;
}

/** What a deletion of the caller's account takes, and what goes with it here. */
export async function readDeletion(identity: IdentityContext, caller: Caller): Promise<OwnDeletion> {
  const { db, now, deletionDelay } = identity;
  const { user } = caller;
  const [proof, refused_by, sessions, externals] = await Promise.all([
    proofWanted(identity, caller),
    refusalOf(db, user),
    readSessionsOf(db, user.user_id, { at: new Date(now()), limit: LISTED }),
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

type Asked = { body: BodyOf<(typeof accountRoutes)['deleteAccount']>; request: FastifyRequest };

/**
 * Signs the caller out everywhere and has the account deleted: at once, or after the time in which a sign-in calls it off.
 * @throws VALIDATION_FAILED at /nick_name, LAST_SUPER_ADMIN, LAST_OWNER, and what `reauthenticate` throws
 */
export async function deleteAccount(
  identity: IdentityContext,
  caller: Caller,
  { body, request }: Asked,
): Promise<DataOf<(typeof accountRoutes)['deleteAccount']>> {
  const { deletionDelay: delay, now } = identity;
  const { user_id, nick_name } = caller.user;
  if (body.nick_name.trim().normalize('NFC') !== nick_name) {
    const details = [{ pointer: '/nick_name', message: 'must be the name of this account' }];
    throw appError('VALIDATION_FAILED', { details });
  }
  const refusal = await refusalOf(identity.db, caller.user);
  if (refusal) throw appError(refusal);
  await reauthenticate(identity, caller, { typed: body, request });
  const at = new Date(now());
  const deleteAt = new Date(at.getTime() + delay);
  const account = await identity.db.transaction().execute(async (db) => {
    await acquireAdvisoryLock(db, 'members');
    const locked = await lockAccount(db, user_id);
    if (!locked) throw appError('TOKEN_INVALID');
    const refused = await refusalOf(db, locked);
    if (refused) throw appError(refused);
    const asked = { delete_at: deleteAt, delete_plugins: body.plugins, delete_language: body.language };
    await askDeletion(db, user_id, { ...asked, at });
    await revokeSessionsOf(db, user_id, at);
    await deleteLinksOf(db, user_id);
    await note(db, {
      userId: user_id,
      action: 'account.delete_asked',
      at,
      detail: { plugins: body.plugins },
    });
    if (delay === 0) await erase(db, identity.random, { account: locked, at });
    return { ...locked, ...asked };
  });
  request.log.info({ user_id, delete_at: deleteAt, action: 'account.delete' }, 'account changed');
  tell(identity, account, request.log, delay === 0 ? deletedMail : deletionMail, deleteAt);
  await sendBackchannelLogout(identity, { userId: user_id }, request.log);
  return { delete_at: delay === 0 ? null : deleteAt.toISOString() };
}

/** A sign-in calls a deletion off, in the transaction of the sign-in. Answers the account if there was one. */
export async function keepAccount(
  db: Transaction<IdentityTables>,
  userId: number,
  at: Date,
): Promise<Account | undefined> {
  const account = await callDeletionOff(db, userId);
  if (account) await note(db, { userId, action: 'account.delete_called_off', at, detail: {} });
  return account;
}

/** Tells the owner of an account that it stays, once the sign-in is done. */
export function mailRestored(identity: IdentityContext, account: Account, log: FastifyBaseLogger): void {
  log.info({ user_id: account.user_id, action: 'account.delete_called_off' }, 'account changed');
  tell(identity, account, log, deletionOffMail, new Date(identity.now()));
}

/**
 * Deletes the accounts whose time is over, one a transaction, so that a failure keeps nothing but that one back.
 * @returns how many
 */
export async function deleteDueAccounts(
  identity: Pick<IdentityContext, 'db' | 'now' | 'random' | 'mailer' | 'background' | 'publicUrl'>,
  log: FastifyBaseLogger,
): Promise<number> {
  for (let deleted = 0; ; deleted += 1) {
    const at = new Date(identity.now());
    const account = await identity.db.transaction().execute(async (db) => {
      const due = await lockDueAccount(db, at);
      if (due) await erase(db, identity.random, { account: due, at });
      return due;
    });
    if (!account) return deleted;
    log.info({ user_id: account.user_id }, 'an account was deleted');
    tell(identity, account, log, deletedMail, at);
  }
}

async function erase(
  db: Transaction<IdentityTables>,
  random: Random,
  { account, at }: { account: Account; at: Date },
): Promise<void> {
  const userName = `deleted_${random(USER_NAME_BYTES).toString('hex')}`;
  await eraseAccount(db, account, { at, userName });
  await noteAccountChange(db, account.user_id, at);
  await note(db, { userId: account.user_id, action: 'account.delete', at, detail: {} });
}

function note(
  db: IdentityDb,
  {
    userId,
    action,
    at,
    detail,
  }: { userId: number; action: string; at: Date; detail: Record<string, string> },
): Promise<void> {
  return insertMemberChange(db, { actor_id: userId, user_id: userId, action, detail, created_at: at });
}

type MailAbout = typeof deletionMail;

/** Mails the owner of an account behind the answer; nobody where no mail is sent. */
function tell(
  { mailer, background, publicUrl }: Pick<IdentityContext, 'mailer' | 'background' | 'publicUrl'>,
  { user_id, email, email_key, nick_name, delete_language }: Account,
  log: FastifyBaseLogger,
  mailAbout: MailAbout,
  at: Date,
): void {
  if (!mailer || email_key === null) return;
  const language = delete_language ?? FALLBACK_LANGUAGE;
  const mail: Mail = mailAbout(email, {
    language,
    siteName: mailer.siteName,
    link: publicUrl + BASE_PATH,
    account: nick_name,
    at,
  });
  background.run(log, async () => {
    await mailer.send(mail);
    log.info({ user_id }, 'a mail about a deletion was sent');
  });
}
