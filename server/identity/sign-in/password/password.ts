import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { BASE_PATH, RESET_PATH } from '../../../../shared/constants.ts';
import type { Language } from '../../../../shared/languages.ts';
import { type AfterReset, passwordRoutes } from '../../../../shared/routes/password.ts';
import { networkOf } from '../../../http/client-address.ts';
import { appError } from '../../../http/errors.ts';
import { type Handler, implement } from '../../../http/implement.ts';
import { accountKey } from '../../accounts/account.ts';
import { lockAccount } from '../../accounts/change-store.ts';
import { PASSWORD_MIN, requireStrongPassword } from '../../accounts/passwords.ts';
import { findAccountByKey, findUser, setPasswordHash } from '../../accounts/store.ts';
import { AFTER_RESET_LIFETIME, RESET_LIFETIME } from '../../lifetimes.ts';
import { sendAccountMail } from '../../mail/account-mails.ts';
import type { Account, IdentityDb } from '../../schema.ts';
import { decryptJson, newSecret, secretHash } from '../../secret.ts';
import { callerOf } from '../../sessions/caller.ts';
import { toSession } from '../../sessions/sessions.ts';
import { readSessionsOf, revokeOtherSessions, revokeSessionsOf } from '../../sessions/store.ts';
import { sendBackchannelLogout } from '../../sessions/tokens.ts';
import { consumeLink, insertRow } from '../../store.ts';
import { type Guess, knownDevice, resetGuesses } from '../attempts/guesses.ts';
import { consumeAttempt, tryConsumeAttempt } from '../attempts/rate-limit.ts';
import type { SignInContext } from '../context.ts';
import { confirmPassword } from '../reauthenticate.ts';
import { checkCode, isRequiredOf } from '../second-factor/codes.ts';
import { countRecoveryCodes, deleteSecondFactor, findSecondFactor } from '../second-factor/store.ts';
import { deleteLinksOf, findAccountOfLink } from './store.ts';

/** A user's own password. */
export function serveOwnPassword(app: FastifyInstance): void {
  const { identity } = app;
  implement(app, passwordRoutes.readPasswordState, ({ request }) => ({
    has_password: callerOf(request).user.password_hash !== null,
    password_min: PASSWORD_MIN,
  }));
  implement(app, passwordRoutes.changePassword, changePassword(identity));
}

/**
 * Changes the caller's password and ends all their other sessions.
 * @throws PASSWORD_ELSEWHERE, TOO_MANY_REQUESTS, PASSWORD_WRONG at /current_password, PASSWORD_TOO_WEAK at /password,
 *   CONFLICT when the password was changed in the meantime, SERVICE_UNAVAILABLE
 */
function changePassword(identity: SignInContext): Handler<typeof passwordRoutes.changePassword> {
  return async ({ body, request }) => {
    const { user, session } = callerOf(request);
    const pointer = '/current_password';
    await confirmPassword(identity, user, { typed: body.current_password, pointer, request });
    await requireStrongPassword(identity.passwordStrength, body.password, user);
    const passwordHash = await identity.passwords.hash(body.password);
    const sids = await identity.db.transaction().execute(async (db) => {
      const at = new Date(identity.now());
      const owner = await lockAccount(db, user.user_id);
      if (owner?.password_hash !== user.password_hash) throw appError('CONFLICT');
      await setPassword(db, owner, { passwordHash, at });
      return revokeOtherSessions(db, owner.user_id, session.sid, at);
    });
    await resetLockOut(identity, user, request);
    request.log.info({ user_id: user.user_id, sid: session.sid }, 'password changed');
    await sendBackchannelLogout(identity, { userId: user.user_id, sids }, request.log);
    return {};
  };
}

/** Sets a new password and invalidates links, unused codes and known devices. */
export async function setPassword(
  db: IdentityDb,
  { user_id }: Account,
  { passwordHash, at }: { passwordHash: string; at: Date },
): Promise<void> {
  await setPasswordHash(db, user_id, { passwordHash, at });
  await deleteLinksOf(db, user_id);
}

/** Resets the rate limits of wrong passwords for this client, for both names of the account. */
export async function resetLockOut(
  identity: SignInContext,
  owner: Account,
  request: Guess['request'],
): Promise<void> {
  for (const account of [owner.email_key, owner.user_name_key]) {
    if (account !== null) await resetGuesses(identity, { secret: 'sign-in', account, request });
  }
}

/**
 * Creates a link for setting a new password once. The token is in the fragment, which browsers never send, and only its
 * hash is stored. `lifetime` in milliseconds.
 */
export async function createPasswordLink(
  db: IdentityDb,
  { now, random, publicUrl }: Pick<SignInContext, 'now' | 'random' | 'publicUrl'>,
  { userId, lifetime }: { userId: number; lifetime: number },
): Promise<{ link: string; expires_at: Date }> {
  const token = newSecret(random);
  const expires_at = new Date(now() + lifetime);
  await insertRow(db, 'password_link', { token_hash: secretHash(token), user_id: userId, expires_at });
  return { link: `${publicUrl}${RESET_PATH}#${token}`, expires_at };
}

/**
 * Mails a link to the owner of an account. The account is looked up after the response, so that neither the response nor
 * its time reveals whether it exists (OWASP forgot password cheat sheet).
 * @throws NOT_FOUND without a mail server, TOO_MANY_REQUESTS
 */
export function requestReset(identity: SignInContext): Handler<typeof passwordRoutes.askPasswordReset> {
  return async ({ body, request }) => {
    if (!identity.mailer) throw appError('NOT_FOUND');
    const key = accountKey(body.account);
    const network = networkOf(request.clientAddress);
    await consumeAttempt(identity, { limit: 'reset address', of: network });
    await consumeAttempt(identity, { limit: 'reset network', of: `${key ?? ''}\0${network}` });
    identity.background.run(request.log, async () => {
      const account = key === null ? undefined : await findAccountByKey(identity.db, key);
      if (!account || !(await isMailAllowed(identity, account, request))) return;
      await sendResetMail(identity, account, body.language, request.log);
    });
    return {};
  };
}

/**
 * The mailbox of a user has one rate limit for both names of the account. A known device has its own, which requests of
 * others do not use up.
 */
async function isMailAllowed(
  identity: SignInContext,
  account: Account,
  request: FastifyRequest,
): Promise<boolean> {
  const { user_id, disabled_at, email_key } = account;
  if (disabled_at !== null || email_key === null) return false;
  const device = knownDevice(identity, account, request);
  return tryConsumeAttempt(
    identity,
    device === undefined
      ? { limit: 'reset mailbox', of: String(user_id) }
      : { limit: 'reset device', of: `${user_id}\0${device}` },
  );
}

async function sendResetMail(
  identity: SignInContext,
  { user_id, email, password_hash }: Account,
  language: Language,
  log: FastifyBaseLogger,
): Promise<void> {
  if (password_hash === null) {
    const link = identity.publicUrl + BASE_PATH;
    return sendAccountMail(identity, 'elsewhere', { to: email, language, link, userId: user_id }, log);
  }
  const { link } = await createPasswordLink(identity.db, identity, {
    userId: user_id,
    lifetime: RESET_LIFETIME,
  });
  const mail = { to: email, language, link, userId: user_id, lifetime: RESET_LIFETIME };
  await sendAccountMail(identity, 'reset', mail, log);
}

/**
 * Sets a new password with a link, ends all sessions of the account and returns them. The second factor stays enabled and
 * is returned too, because the link only proves access to the mailbox. After a weak password the link stays valid.
 * @throws PASSWORD_LINK_INVALID, ACCOUNT_DISABLED, PASSWORD_ELSEWHERE, PASSWORD_TOO_WEAK at /password,
 *   SERVICE_UNAVAILABLE
 */
export function finishReset(identity: SignInContext): Handler<typeof passwordRoutes.finishPasswordReset> {
  return async ({ body, request }) => {
    const tokenHash = secretHash(body.token);
    const found = await findAccountOfLink(identity.db, tokenHash, new Date(identity.now()));
    if (!found) throw appError('PASSWORD_LINK_INVALID');
    await requireStrongPassword(identity.passwordStrength, body.password, found);
    const passwordHash = await identity.passwords.hash(body.password);
    const { account, ended } = await identity.db.transaction().execute(async (db) => {
      const at = new Date(identity.now());
      const owner = await lockAccount(db, found.user_id);
      if (!owner || !(await consumeLink(db, 'password_link', tokenHash, at)))
        throw appError('PASSWORD_LINK_INVALID');
      if (owner.disabled_at !== null) throw appError('ACCOUNT_DISABLED');
      if (owner.password_hash === null) throw appError('PASSWORD_ELSEWHERE');
      const sessions = await readSessionsOf(db, owner.user_id, { at });
      await setPassword(db, owner, { passwordHash, at });
      await revokeSessionsOf(db, owner.user_id, at);
      return { account: owner, ended: sessions };
    });
    await resetLockOut(identity, account, request);
    request.log.info({ user_id: account.user_id }, 'password reset with a link');
    await sendBackchannelLogout(identity, { userId: account.user_id }, request.log);
    return {
      ended_sessions: ended.map((session) => toSession(session, identity.methods)),
      second_factor: await readRemainingSecondFactor(identity, account),
    };
  };
}

/** Purpose of the encryption, so that no other encrypted value is accepted. */
const PURPOSE = 'after a new password';
const AfterResetToken = Type.Object({ user_id: Type.Integer(), until: Type.Integer() });

/** The second factor of an account after a password reset; an attacker may have set it up. */
async function readRemainingSecondFactor(
  identity: SignInContext,
  account: Account,
): Promise<AfterReset['second_factor']> {
  const { db, now, encryptor } = identity;
  const { user_id } = account;
  const factor = await findSecondFactor(db, user_id);
  if (!factor) return null;
  return {
    since: factor.created_at.toISOString(),
    recovery_codes_left: await countRecoveryCodes(db, user_id),
    is_required: isRequiredOf(identity, account),
    token: encryptor.encrypt(JSON.stringify({ user_id, until: now() + AFTER_RESET_LIFETIME }), PURPOSE),
  };
}

/**
 * Disables the second factor after a password reset. Requires one of its codes, because access to the mailbox alone must
 * not be enough.
 * @throws PASSWORD_LINK_INVALID, SECOND_FACTOR_REQUIRED, NOT_FOUND when it is disabled, SECOND_FACTOR_WRONG,
 *   TOO_MANY_REQUESTS, SERVICE_UNAVAILABLE
 */
export function removeSecondFactorAfterReset(
  identity: SignInContext,
): Handler<typeof passwordRoutes.removeSecondFactorAfterReset> {
  return async ({ body, request }) => {
    const { db, now, encryptor } = identity;
    const token = decryptJson(encryptor, AfterResetToken, body.token, PURPOSE);
    if (!token || token.until <= now()) throw appError('PASSWORD_LINK_INVALID');
    const owner = await findUser(db, token.user_id);
    if (!owner || owner.disabled_at !== null) throw appError('PASSWORD_LINK_INVALID');
    if (isRequiredOf(identity, owner)) throw appError('SECOND_FACTOR_REQUIRED');
    if (!(await findSecondFactor(db, owner.user_id))) throw appError('NOT_FOUND');
    await checkCode(identity, { owner, typed: body.code, request });
    await db.transaction().execute((transaction) => deleteSecondFactor(transaction, owner.user_id));
    request.log.info({ user_id: owner.user_id }, 'second factor disabled');
    return {};
  };
}
