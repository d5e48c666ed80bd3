import type { FastifyRequest } from 'fastify';
import { BASE_PATH } from '../../../shared/constants.ts';
import type { Language } from '../../../shared/languages.ts';
import type { passwordRoutes } from '../../../shared/routes/password.ts';
import { appError } from '../../http/errors.ts';
import type { Handler } from '../../http/implement.ts';
import { accountKey } from '../accounts/account-key.ts';
import { findAccountByKey } from '../accounts/store.ts';
import { countAttempt, mayAttempt } from '../attempts/attempt-limit.ts';
import { knownDevice } from '../attempts/known-device.ts';
import { networkAddress } from '../attempts/network-address.ts';
import type { IdentityContext } from '../context.ts';
import { RESET_LIFETIME } from '../lifetimes.ts';
import type { Mailer } from '../mail/mailer.ts';
import { elsewhereMail, resetMail } from '../mail/mails.ts';
import type { Account } from '../schema.ts';
import { makeLink } from './link.ts';

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
