import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { VERIFY_PATH } from '../../../shared/constants.ts';
import type { Language } from '../../../shared/languages.ts';
import { addressRoutes, type OwnAddress } from '../../../shared/routes/address.ts';
import { appError } from '../../http/errors.ts';
import { implement } from '../../http/implement.ts';
import { countAttempt } from '../attempts/attempt-limit.ts';
import type { IdentityContext } from '../context.ts';
import { ADDRESS_LINK_LIFETIME } from '../lifetimes.ts';
import { addressMail } from '../mail/mails.ts';
import type { Account } from '../schema.ts';
import { newSecret, secretHash } from '../secret.ts';
import { userGuard, userOf } from '../sessions/user-guard.ts';
import { insertAddressLink, setVerified, takeAddressLink } from './store.ts';
import { takeAddress } from './take-address.ts';

/** The e-mail address of a person's own account. */
export function serveOwnAddress(app: FastifyInstance, identity: IdentityContext): void {
  const guard = userGuard(identity);
  implement(app, guard, addressRoutes.readAddress, ({ request }) =>
    stateOf(identity, userOf(request).person),
  );
  implement(app, guard, addressRoutes.askAddressLink, ({ body, request }) =>
    askLink(identity, { person: userOf(request).person, language: body.language, log: request.log }),
  );
  implement(app, guard, addressRoutes.verifyAddress, ({ body, request }) =>
    verify(identity, { person: userOf(request).person, token: body.token, log: request.log }),
  );
}

function stateOf({ mailer }: IdentityContext, { email, email_verified_at }: Account): OwnAddress {
  return {
    email,
    verified_at: email_verified_at?.toISOString() ?? null,
    can_verify: mailer !== undefined && email !== '',
  };
}

/**
 * Mails a link by which the person proves their address. It works only for who is signed in to the account, so that
 * nobody proves by a click that an address of theirs is another's.
 * @throws NOT_FOUND where no mail is sent or there is no address, CONFLICT when it is proved, TOO_MANY_REQUESTS
 */
async function askLink(
  identity: IdentityContext,
  { person, language, log }: { person: Account; language: Language; log: FastifyBaseLogger },
): Promise<Record<string, never>> {
  const { db, mailer, now, random, publicUrl } = identity;
  const { user_id, email, email_key } = person;
  if (!mailer || email_key === null) throw appError('NOT_FOUND');
  if (person.email_verified_at !== null) throw appError('CONFLICT');
  await countAttempt(identity, { limit: 'address mailbox', of: String(user_id) });
  await countAttempt(identity, { limit: 'address mailbox', of: email_key });
  const token = newSecret(random);
  const expires_at = new Date(now() + ADDRESS_LINK_LIFETIME);
  await insertAddressLink(db, { token_hash: secretHash(token), user_id, email_key, expires_at });
  const mail = addressMail(email, { language, link: `${publicUrl}${VERIFY_PATH}#${token}` });
  identity.background.run(log, async () => {
    await mailer.send(mail);
    log.info({ user_id }, 'a mail to prove an address was sent');
  });
  return {};
}

/** @throws MAIL_LINK_INVALID when it has run out, was used or is another account's, ACCOUNT_EXISTS when another one owns it */
async function verify(
  identity: IdentityContext,
  { person, token, log }: { person: Account; token: string; log: FastifyBaseLogger },
): Promise<OwnAddress> {
  const { user_id: userId, email_key: emailKey } = person;
  if (emailKey === null) throw appError('MAIL_LINK_INVALID');
  const at = new Date(identity.now());
  const tokenHash = secretHash(token);
  await identity.db.transaction().execute(async (db) => {
    const takeLink = () => takeAddressLink(db, { tokenHash, userId, emailKey, at });
    await takeAddress(db, { emailKey, userId, takeLink }, log);
    await setVerified(db, userId, at);
  });
  log.info({ user_id: userId }, 'an address was proved');
  return stateOf(identity, { ...person, email_verified_at: at });
}
