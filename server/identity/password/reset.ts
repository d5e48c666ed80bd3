import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { BASE_PATH } from '../../../shared/constants.ts';
import type { Language } from '../../../shared/languages.ts';
import type { AfterReset, passwordRoutes } from '../../../shared/routes/password.ts';
import { appError } from '../../http/errors.ts';
import type { Handler } from '../../http/implement.ts';
import { accountKey } from '../accounts/account-fields.ts';
import { refuseWeak } from '../accounts/passwords.ts';
import { findAccountByKey, findUser } from '../accounts/store.ts';
import { countAttempt, mayAttempt, networkAddress } from '../attempts/attempt-limit.ts';
import { knownDevice } from '../attempts/known-device.ts';
import type { IdentityContext } from '../context.ts';
import { AFTER_RESET_LIFETIME, RESET_LIFETIME } from '../lifetimes.ts';
import type { Mailer } from '../mail/mailer.ts';
import { elsewhereMail, resetMail } from '../mail/mails.ts';
import { lockAccount } from '../members/store.ts';
import type { Account } from '../schema.ts';
import { checkCode, isRequiredOf } from '../second-factor/codes.ts';
import { countRecoveryCodes, deleteSecondFactor, findSecondFactor } from '../second-factor/store.ts';
import { secretHash } from '../secret.ts';
import { sendBackchannelLogout } from '../sessions/backchannel-logout.ts';
import { LISTED, toSession } from '../sessions/own-sessions.ts';
import { readSessionsOf, revokeSessionsOf } from '../sessions/store.ts';
import { endLockOut, makeLink, setPassword } from './password.ts';
import { findAccountOfLink, takeLink } from './store.ts';

const MINUTE = 60_000;

/**
 * Has a link mailed to the owner of an account. Whether there is one is looked for after the answer, so neither the
 * answer nor its time tells (OWASP forgot password cheat sheet).
 * @throws NOT_FOUND where no mail is sent, TOO_MANY_REQUESTS
 */
export function askReset(identity: IdentityContext): Handler<typeof passwordRoutes.askPasswordReset> {
  return async ({ body, request }) => {
    const { mailer } = identity;
    if (!mailer) throw appError('NOT_FOUND');
    const key = accountKey(body.account);
    const network = networkAddress(request.ip);
    await countAttempt(identity, { limit: 'reset address', of: network });
    await countAttempt(identity, { limit: 'reset network', of: `${key ?? ''}\0${network}` });
    identity.background.run(request.log, async () => {
      const account = key === null ? undefined : await findAccountByKey(identity.db, key);
      if (!account || !(await mayHaveMail(identity, account, request))) return;
      const { user_id } = account;
      try {
        await sendMail(identity, mailer, account, body.language);
        request.log.info({ user_id }, 'a mail for a new password was sent');
      } catch (error) {
        request.log.error({ err: error, user_id }, 'a mail for a new password was not sent');
      }
    });
    return {};
  };
}

/**
 * An account has two names that may be typed, and each has its own count; the user's mailbox has one. What others have
 * asked for does not count for a device that the account was signed in to on.
 */
async function mayHaveMail(
  identity: IdentityContext,
  account: Account,
  request: FastifyRequest,
): Promise<boolean> {
  const { user_id, disabled_at, email_key } = account;
  if (disabled_at !== null || email_key === null) return false;
  const device = knownDevice(identity, account, request);
  return mayAttempt(
    identity,
    device === undefined
      ? { limit: 'reset mailbox', of: String(user_id) }
      : { limit: 'reset device', of: `${user_id}\0${device}` },
  );
}

async function sendMail(
  identity: IdentityContext,
  mailer: Mailer,
  { user_id, email, password_hash }: Account,
  language: Language,
): Promise<void> {
  if (password_hash === null) {
    await mailer.send(
      elsewhereMail(email, { language, siteName: mailer.siteName, link: identity.publicUrl + BASE_PATH }),
    );
    return;
  }
  const { link } = await makeLink(identity.db, identity, { userId: user_id, lifetime: RESET_LIFETIME });
  await mailer.send(
    resetMail(email, { language, siteName: mailer.siteName, link, minutes: RESET_LIFETIME / MINUTE }),
  );
}

/**
 * Sets a new password by a link, which ends all sessions of the account, and tells which those were. The second factor
 * stays, and is told of: the link proves the mailbox alone. A weak password leaves the link good.
 * @throws PASSWORD_LINK_INVALID, ACCOUNT_DISABLED, PASSWORD_ELSEWHERE, PASSWORD_TOO_WEAK at /password,
 *   SERVICE_UNAVAILABLE
 */
export function finishReset(identity: IdentityContext): Handler<typeof passwordRoutes.finishPasswordReset> {
  return async ({ body, request }) => {
    const tokenHash = secretHash(body.token);
    const found = await findAccountOfLink(identity.db, tokenHash, new Date(identity.now()));
    if (!found) throw appError('PASSWORD_LINK_INVALID');
    await refuseWeak(identity.passwordStrength, body.password, found);
    const passwordHash = await identity.passwords.hash(body.password);
    const { account, ended } = await identity.db.transaction().execute(async (db) => {
      const at = new Date(identity.now());
      const owner = await lockAccount(db, found.user_id);
      if (!owner || !(await takeLink(db, tokenHash, at))) throw appError('PASSWORD_LINK_INVALID');
      if (owner.disabled_at !== null) throw appError('ACCOUNT_DISABLED');
      if (owner.password_hash === null) throw appError('PASSWORD_ELSEWHERE');
      const sessions = await readSessionsOf(db, owner.user_id, { at, limit: LISTED });
      await setPassword(db, owner, { passwordHash, at });
      await revokeSessionsOf(db, owner.user_id, at);
      return { account: owner, ended: sessions };
    });
    await endLockOut(identity, account, request);
    request.log.info({ user_id: account.user_id }, 'a password was set by a link');
    await sendBackchannelLogout(identity, { userId: account.user_id }, request.log);
    return {
      ended_sessions: ended.map((session) => toSession(session, identity.methods)),
      second_factor: await leftSecondFactor(identity, account),
    };
  };
}

/** Encrypted for nothing else, so that no other secret of ours passes for one. */
const LABEL = 'after a new password';
const check = Compile(Type.Object({ user_id: Type.Integer(), until: Type.Integer() }));

/** The second factor that an account has after a new password was set by a link; it may be somebody else's. */
async function leftSecondFactor(
  identity: IdentityContext,
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
    token: encryptor.encrypt(JSON.stringify({ user_id, until: now() + AFTER_RESET_LIFETIME }), LABEL),
  };
}

/**
 * Takes the second factor away after a new password was set by a link, with one of its codes: who has only the mailbox
 * would pass it otherwise.
 * @throws PASSWORD_LINK_INVALID, SECOND_FACTOR_REQUIRED, NOT_FOUND when it is off, SECOND_FACTOR_WRONG,
 *   TOO_MANY_REQUESTS, SERVICE_UNAVAILABLE
 */
export function removeLeftSecondFactor(
  identity: IdentityContext,
): Handler<typeof passwordRoutes.removeSecondFactorAfterReset> {
  return async ({ body, request }) => {
    const { db, now, encryptor } = identity;
    const text = encryptor.decrypt(body.token, LABEL);
    const proved: unknown = text === undefined ? undefined : JSON.parse(text);
    if (!check.Check(proved) || proved.until <= now()) throw appError('PASSWORD_LINK_INVALID');
    const owner = await findUser(db, proved.user_id);
    if (!owner || owner.disabled_at !== null) throw appError('PASSWORD_LINK_INVALID');
    if (isRequiredOf(identity, owner)) throw appError('SECOND_FACTOR_REQUIRED');
    if (!(await findSecondFactor(db, owner.user_id))) throw appError('NOT_FOUND');
    await checkCode(identity, { owner, typed: body.code, request });
    await db.transaction().execute((transaction) => deleteSecondFactor(transaction, owner.user_id));
    request.log.info({ user_id: owner.user_id }, 'the second factor was turned off');
    return {};
  };
}
