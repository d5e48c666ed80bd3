import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import { ACCOUNT_PATH, BASE_PATH, VERIFY_PATH } from '../../../shared/constants.ts';
import type { Language } from '../../../shared/languages.ts';
import type { BodyOf } from '../../../shared/route.ts';
import { accountRoutes, addressRoutes, type OwnAddress } from '../../../shared/routes/account.ts';
import { appError } from '../../http/errors.ts';
import { implement } from '../../http/implement.ts';
import { isMailed, validateEmail } from '../accounts/account.ts';
import {
  consumeAddressLink,
  deleteNewAddressLinks,
  findAddressLink,
  findNewAddress,
  setAddress,
  setVerified,
} from '../accounts/address-store.ts';
import { claimAddress } from '../accounts/addresses.ts';
import { findOwnerOf } from '../accounts/store.ts';
import { ADDRESS_LINK_LIFETIME } from '../lifetimes.ts';
import { sendAccountMail } from '../mail/account-mails.ts';
import type { Account } from '../schema.ts';
import { newSecret, secretHash } from '../secret.ts';
import { type Caller, callerOf } from '../sessions/caller.ts';
import { consumeAttempt, tryConsumeAttempt } from '../sign-in/attempts/rate-limit.ts';
import type { SignInContext } from '../sign-in/context.ts';
import { deleteLinksOf } from '../sign-in/password/store.ts';
import { reauthenticate, requiredProof } from '../sign-in/reauthenticate.ts';
import { insertRow } from '../store.ts';

/** The e-mail address of a user's own account. */
export function serveOwnAddress(app: FastifyInstance): void {
  const { identity } = app;
  implement(app, addressRoutes.readAddress, ({ request }) => readState(identity, callerOf(request)));
  implement(app, addressRoutes.askAddressLink, ({ body, request }) =>
    requestLink(identity, { user: callerOf(request).user, language: body.language, log: request.log }),
  );
  implement(app, addressRoutes.verifyAddress, ({ body, request }) =>
    verify(identity, callerOf(request), { body, request }),
  );
  implement(app, accountRoutes.askNewAddress, ({ body, request }) =>
    requestNewAddress(identity, callerOf(request), { body, request }),
  );
}

async function readState(identity: SignInContext, caller: Caller): Promise<OwnAddress> {
  const { db, mailer, now } = identity;
  const { user_id, email, email_verified_at } = caller.user;
  return {
    email,
    verified_at: email_verified_at?.toISOString() ?? null,
    can_verify: mailer !== undefined && email !== '',
    new_email: await findNewAddress(db, user_id, new Date(now())),
    can_change: mailer !== undefined,
    proof: await requiredProof(identity, caller),
  };
}

/**
 * Mails a link that verifies the user's address. It works only in a session of this account, so that nobody verifies their
 * own address for another user's account by a click.
 * @throws NOT_FOUND without a mail server or an address, CONFLICT when it is verified already, TOO_MANY_REQUESTS
 */
async function requestLink(
  identity: SignInContext,
  { user, language, log }: { user: Account; language: Language; log: FastifyBaseLogger },
): Promise<Record<string, never>> {
  const { db, mailer, now, random, publicUrl } = identity;
  const { user_id, email, email_key } = user;
  if (!mailer || email_key === null) throw appError('NOT_FOUND');
  if (user.email_verified_at !== null) throw appError('CONFLICT');
  await consumeAttempt(identity, { limit: 'address mailbox', of: String(user_id) });
  await consumeAttempt(identity, { limit: 'address mailbox', of: email_key });
  const token = newSecret(random);
  const expires_at = new Date(now() + ADDRESS_LINK_LIFETIME);
  await insertRow(db, 'address_link', { token_hash: secretHash(token), user_id, email_key, expires_at });
  const link = `${publicUrl}${VERIFY_PATH}#${token}`;
  identity.background.run(log, async () => {
    const lifetime = ADDRESS_LINK_LIFETIME;
    await sendAccountMail(identity, 'address', { to: email, language, link, userId: user_id, lifetime }, log);
  });
  return {};
}

type Asked = { body: BodyOf<(typeof accountRoutes)['askNewAddress']>; request: FastifyRequest };

/**
 * Mails a link to the address that the caller wants for their account. Nothing changes until the caller opens it while
 * signed in. Neither the response nor its time reveals whether the address belongs to another account: its owner gets a
 * mail instead.
 * @throws NOT_FOUND without a mail server, VALIDATION_FAILED at /email, CONFLICT when the account has this address already,
 *   TOO_MANY_REQUESTS, and what `reauthenticate` throws
 */
async function requestNewAddress(
  identity: SignInContext,
  caller: Caller,
  { body, request: { log }, request }: Asked,
): Promise<Record<string, never>> {
  const { db, mailer, now, random, publicUrl, background } = identity;
  const { user_id, email_key: ownKey } = caller.user;
  if (!mailer) throw appError('NOT_FOUND');
  const { email, email_key } = validateEmail(body.email);
  if (email_key === ownKey) throw appError('CONFLICT');
  await reauthenticate(identity, caller, { typed: body, request });
  await consumeAttempt(identity, { limit: 'address mailbox', of: String(user_id) });
  const { language } = body;
  const token = newSecret(random);
  const expires_at = new Date(now() + ADDRESS_LINK_LIFETIME);
  const link = { token_hash: secretHash(token), user_id, email_key, new_email: email, expires_at };
  await db.transaction().execute(async (trx) => {
    await deleteNewAddressLinks(trx, user_id);
    await insertRow(trx, 'address_link', link);
  });
  background.run(log, async () => {
    if (!(await tryConsumeAttempt(identity, { limit: 'address mailbox', of: email_key }))) return;
    const owner = await findOwnerOf(db, email_key);
    if (owner && owner.disabled_at !== null) return;
    const shared = { language, userId: user_id, lifetime: ADDRESS_LINK_LIFETIME };
    await (owner
      ? sendAccountMail(
          identity,
          'address_taken',
          { ...shared, to: owner.email, link: publicUrl + BASE_PATH },
          log,
        )
      : sendAccountMail(
          identity,
          'new_address',
          { ...shared, to: email, link: `${publicUrl}${VERIFY_PATH}#${token}` },
          log,
        ));
  });
  return {};
}

/**
 * Verifies the address that a link was mailed to; a new address replaces the current one, and password links in the
 * previous mailbox become invalid.
 * @throws MAIL_LINK_INVALID when the link is expired, used or of another account, ACCOUNT_EXISTS when another account has
 *   verified the address
 */
async function verify(
  identity: SignInContext,
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
    const consume = () => consumeAddressLink(db, { tokenHash, userId, emailKey, at });
    await claimAddress(db, { emailKey, userId, consume }, log);
    if (!isNew) return setVerified(db, userId, at);
    await setAddress(db, userId, { email, emailKey, at });
    await deleteNewAddressLinks(db, userId);
    await deleteLinksOf(db, userId);
  });
  log.info({ user_id: userId, is_new: isNew }, 'address verified');
  if (isNew) notifyPreviousAddress(identity, user, { at, language: body.language, log });
  return readState(identity, { ...caller, user: { ...user, email, email_verified_at: at } });
}

/** Mails the previous address, after the response, that the account has another one now. */
function notifyPreviousAddress(
  identity: SignInContext,
  account: Account,
  { at, language, log }: { at: Date; language: Language | undefined; log: FastifyBaseLogger },
): void {
  if (!isMailed(account)) return;
  const { user_id, email, nick_name } = account;
  identity.background.run(log, async () => {
    const values = { when: at, account: nick_name };
    const link = identity.publicUrl + ACCOUNT_PATH;
    await sendAccountMail(
      identity,
      'address_changed',
      { to: email, language, link, values, userId: user_id },
      log,
    );
  });
}
