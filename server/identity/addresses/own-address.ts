import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import type { Transaction } from 'kysely';
import { ACCOUNT_PATH, BASE_PATH, VERIFY_PATH } from '../../../shared/constants.ts';
import { FALLBACK_LANGUAGE, type Language } from '../../../shared/languages.ts';
import type { BodyOf } from '../../../shared/route.ts';
import { accountRoutes, addressRoutes, type OwnAddress } from '../../../shared/routes/account.ts';
import { appError } from '../../http/errors.ts';
import { implement } from '../../http/implement.ts';
import { checkedEmail } from '../accounts/account-fields.ts';
import { proofWanted, reauthenticate } from '../accounts/reauthenticate.ts';
import { findOwnerOf } from '../accounts/store.ts';
import { countAttempt, mayAttempt } from '../attempts/attempt-limit.ts';
import type { IdentityContext } from '../context.ts';
import { ADDRESS_LINK_LIFETIME } from '../lifetimes.ts';
import { addressChangedMail, addressMail, addressTakenMail, newAddressMail } from '../mail/mails.ts';
import { deleteLinksOf } from '../password/store.ts';
import type { Account, IdentityTables } from '../schema.ts';
import { newSecret, secretHash } from '../secret.ts';
import { type Caller, callerOf, userGuard } from '../sessions/caller.ts';
import { acquireAdvisoryLock } from '../store.ts';
import {
  deleteLinksTo,
  deleteNewAddressLinks,
  findAddressLink,
  findNewAddress,
  insertAddressLink,
  releaseAddress,
  setAddress,
  setVerified,
  takeAddressLink,
} from './store.ts';

/** The e-mail address of a user's own account. */
export function serveOwnAddress(app: FastifyInstance, identity: IdentityContext): void {
  const guard = userGuard(identity);
  implement(app, guard, addressRoutes.readAddress, ({ request }) => stateOf(identity, callerOf(request)));
  implement(app, guard, addressRoutes.askAddressLink, ({ body, request }) =>
    askLink(identity, { user: callerOf(request).user, language: body.language, log: request.log }),
  );
  implement(app, guard, addressRoutes.verifyAddress, ({ body, request }) =>
    verify(identity, callerOf(request), { body, request }),
  );
  implement(app, guard, accountRoutes.askNewAddress, ({ body, request }) =>
    askNewAddress(identity, callerOf(request), { body, request }),
  );
}

async function stateOf(identity: IdentityContext, caller: Caller): Promise<OwnAddress> {
  const { db, mailer, now } = identity;
  const { user_id, email, email_verified_at } = caller.user;
  return {
    email,
    verified_at: email_verified_at?.toISOString() ?? null,
    can_verify: mailer !== undefined && email !== '',
    new_email: await findNewAddress(db, user_id, new Date(now())),
    can_change: mailer !== undefined,
    proof: await proofWanted(identity, caller),
  };
}

/**
 * Mails a link by which the user proves their address. It works only for who is signed in to the account, so that
 * nobody proves by a click that an address of theirs is another's.
 * @throws NOT_FOUND where no mail is sent or there is no address, CONFLICT when it is proved, TOO_MANY_REQUESTS
 */
async function askLink(
  identity: IdentityContext,
  { user, language, log }: { user: Account; language: Language; log: FastifyBaseLogger },
): Promise<Record<string, never>> {
  const { db, mailer, now, random, publicUrl } = identity;
  const { user_id, email, email_key } = user;
  if (!mailer || email_key === null) throw appError('NOT_FOUND');
  if (user.email_verified_at !== null) throw appError('CONFLICT');
  await countAttempt(identity, { limit: 'address mailbox', of: String(user_id) });
  await countAttempt(identity, { limit: 'address mailbox', of: email_key });
  const token = newSecret(random);
  const expires_at = new Date(now() + ADDRESS_LINK_LIFETIME);
  await insertAddressLink(db, { token_hash: secretHash(token), user_id, email_key, expires_at });
  const mail = addressMail(email, {
    language,
    siteName: mailer.siteName,
    link: `${publicUrl}${VERIFY_PATH}#${token}`,
  });
  identity.background.run(log, async () => {
    await mailer.send(mail);
    log.info({ user_id }, 'a mail to prove an address was sent');
  });
  return {};
}

type Asked = { body: BodyOf<(typeof accountRoutes)['askNewAddress']>; request: FastifyRequest };

/**
 * Mails a link to an address that the caller wants for their account; until it is opened by who is signed in to it, nothing
 * changes. Neither the answer nor its time tells whether the address is another's: that one's owner is told instead.
 * @throws NOT_FOUND where no mail is sent, VALIDATION_FAILED at /email, CONFLICT when it is theirs already,
 *   TOO_MANY_REQUESTS, and what `reauthenticate` throws
 */
async function askNewAddress(
  identity: IdentityContext,
  caller: Caller,
  { body, request: { log }, request }: Asked,
): Promise<Record<string, never>> {
  const { db, mailer, now, random, publicUrl, background } = identity;
  const { user_id, email_key: ownKey } = caller.user;
  if (!mailer) throw appError('NOT_FOUND');
  const { email, email_key } = checkedEmail(body.email);
  if (email_key === ownKey) throw appError('CONFLICT');
  await reauthenticate(identity, caller, { typed: body, request });
  await countAttempt(identity, { limit: 'address mailbox', of: String(user_id) });
  const { language } = body;
  const token = newSecret(random);
  const expires_at = new Date(now() + ADDRESS_LINK_LIFETIME);
  const link = { token_hash: secretHash(token), user_id, email_key, new_email: email, expires_at };
  await db.transaction().execute(async (trx) => {
    await deleteNewAddressLinks(trx, user_id);
    await insertAddressLink(trx, link);
  });
  background.run(log, async () => {
    if (!(await mayAttempt(identity, { limit: 'address mailbox', of: email_key }))) return;
    const owner = await findOwnerOf(db, email_key);
    if (owner && owner.disabled_at !== null) return;
    const mail = owner
      ? addressTakenMail(owner.email, { language, siteName: mailer.siteName, link: publicUrl + BASE_PATH })
      : newAddressMail(email, {
          language,
          siteName: mailer.siteName,
          link: `${publicUrl}${VERIFY_PATH}#${token}`,
        });
    await mailer.send(mail);
    log.info({ user_id }, 'a mail about a new address was sent');
  });
  return {};
}

/**
 * Takes the address that a link was mailed to: the account's own is proved by it, another one becomes its own. Links to set
 * a new password that lie in the mailbox of before are good no more.
 * @throws MAIL_LINK_INVALID when it has run out, was used or is another account's, ACCOUNT_EXISTS when another one owns it
 */
async function verify(
  identity: IdentityContext,
  caller: Caller,
  {
    body,
    request: { log },
  }: { body: BodyOf<(typeof addressRoutes)['verifyAddress']>; request: FastifyRequest },
): Promise<OwnAddress> {
  const { user } = caller;
  const { user_id: userId } = user;
  const at = new Date(identity.now());
  const tokenHash = secretHash(body.token);
  const link = await findAddressLink(identity.db, { tokenHash, userId, at });
  const isNew = link !== undefined && link.new_email !== null;
  const emailKey = isNew ? link.email_key : user.email_key;
  const email = isNew ? (link.new_email ?? '') : user.email;
  if (emailKey === null) throw appError('MAIL_LINK_INVALID');
  await identity.db.transaction().execute(async (db) => {
    const takeLink = () => takeAddressLink(db, { tokenHash, userId, emailKey, at });
    await takeAddress(db, { emailKey, userId, takeLink }, log);
    if (!isNew) return setVerified(db, userId, at);
    await setAddress(db, userId, { email, emailKey, at });
    await deleteNewAddressLinks(db, userId);
    await deleteLinksOf(db, userId);
  });
  log.info({ user_id: userId, is_new: isNew }, 'an address was proved');
  if (isNew) tellFormerAddress(identity, user, { at, language: body.language, log });
  return stateOf(identity, { ...caller, user: { ...user, email, email_verified_at: at } });
}

/** Tells the mailbox of before, behind the answer, that the account has another address now. */
function tellFormerAddress(
  { mailer, background, publicUrl }: IdentityContext,
  { user_id, email, email_key, nick_name }: Account,
  {
    at,
    language = FALLBACK_LANGUAGE,
    log,
  }: { at: Date; language: Language | undefined; log: FastifyBaseLogger },
): void {
  if (!mailer || email_key === null) return;
  const link = publicUrl + ACCOUNT_PATH;
  const mail = addressChangedMail(email, {
    language,
    siteName: mailer.siteName,
    link,
    account: nick_name,
    at,
  });
  background.run(log, async () => {
    await mailer.send(mail);
    log.info({ user_id }, 'a mail about a changed address was sent');
  });
}

/**
 * Makes way for whoever proves to own an address by a link: it is taken from all accounts that only say so, which keep
 * their sessions and their user names. The first to prove it keeps it. `userId`: the account that is to own it, if there is
 * one; `takeLink` uses the link up and answers whether it was good.
 * @throws MAIL_LINK_INVALID, ACCOUNT_EXISTS when another account owns it
 */
export async function takeAddress(
  db: Transaction<IdentityTables>,
  {
    emailKey,
    userId,
    takeLink,
  }: { emailKey: string; userId: number | undefined; takeLink: () => Promise<boolean> },
  log: FastifyBaseLogger,
): Promise<void> {
  await acquireAdvisoryLock(db, `address ${emailKey}`);
  if (!(await takeLink())) throw appError('MAIL_LINK_INVALID');
  const owner = await findOwnerOf(db, emailKey);
  if (owner && owner.user_id !== userId) throw appError('ACCOUNT_EXISTS');
  const released = await releaseAddress(db, emailKey, { exceptFor: userId });
  for (const user_id of released) log.warn({ user_id }, 'an address was taken from who had not proved it');
  await deleteLinksTo(db, emailKey);
}
