import type { FastifyRequest } from 'fastify';
import { BASE_PATH, SIGN_UP_PATH } from '../../../shared/constants.ts';
import type { ErrorDetail } from '../../../shared/errors.ts';
import { FALLBACK_LANGUAGE, type Language } from '../../../shared/languages.ts';
import type { signInRoutes } from '../../../shared/routes/sign-in.ts';
import { appError } from '../../http/errors.ts';
import type { Handler } from '../../http/implement.ts';
import { checkedEmail, checkedNickName } from '../accounts/account-fields.ts';
import { createAccount } from '../accounts/create-account.ts';
import { refuseWeak } from '../accounts/passwords.ts';
import { findOwnerOf } from '../accounts/store.ts';
import { takeAddress } from '../addresses/own-address.ts';
import { findSignUpLink, insertSignUpLink, isAddressSaid, takeSignUpLink } from '../addresses/store.ts';
import { countAttempt, mayAttempt, networkAddress } from '../attempts/attempt-limit.ts';
import { clearGuesses } from '../attempts/guesses.ts';
import type { IdentityContext } from '../context.ts';
import { type Origin, originOf } from '../federation/document-service.ts';
import { mayEverybodySignUp } from '../federation/methods.ts';
import { ADDRESS_LINK_LIFETIME } from '../lifetimes.ts';
import type { Mailer } from '../mail/mailer.ts';
import { existsMail, signUpMail } from '../mail/mails.ts';
import { newSecret, secretHash } from '../secret.ts';
import { acceptedRedirectUri, codeChallengeOf, continueTo } from './redirect-uri.ts';

/**
 * Makes an account and signs its user in. Where mails are sent it is made by a mailed link instead, and nobody is told
 * here whether there is one; elsewhere the address is a name to sign in with, which must be free.
 * @throws FORBIDDEN where nobody may, REDIRECT_URI_REFUSED, VALIDATION_FAILED, PASSWORD_TOO_WEAK at /password, TOO_MANY_REQUESTS, ACCOUNT_EXISTS,
 *   SERVICE_UNAVAILABLE
 */
export function signUp(identity: IdentityContext): Handler<typeof signInRoutes.signUp> {
  return async ({ body, request }) => {
    if (!mayEverybodySignUp(identity)) throw appError('FORBIDDEN');
    const redirectUri = acceptedRedirectUri(body.redirect_uri, identity.publicUrl);
    const codeChallenge = codeChallengeOf(body, redirectUri);
    const { email, email_key } = checkedEmail(body.email);
    const origin = originOf(identity.methods, body);
    await countAttempt(identity, { limit: 'sign-up address', of: networkAddress(request.ip) });
    if (identity.mailer) {
      const asking = { email, email_key, origin, language: body.language };
      mailSignUp(identity, identity.mailer, { asking, request });
      return { continue_to: null };
    }
    const nick_name = checkedNickName(needed(body, 'nick_name'));
    const password = needed(body, 'password');
    await refuseWeak(identity.passwordStrength, password, { email, nick_name });
    const password_hash = await identity.passwords.hash(password);
    const account = await createAccount(identity.db, identity, {
      email,
      email_key,
      nick_name,
      ...origin,
      password_hash,
    });
    request.log.info({ user_id: account.user_id }, 'an account was made');
    return continueTo(identity, {
      userId: account.user_id,
      method: 'local',
      source: 'local',
      redirectUri,
      responseType: body.response_type,
      codeChallenge,
    });
  };
}

/** @throws VALIDATION_FAILED for what only a sign-up by mail may leave out */
function needed<K extends 'nick_name' | 'password'>(body: Partial<Record<K, string>>, name: K): string {
  const value = body[name];
  if (value !== undefined) return value;
  const details: ErrorDetail[] = [{ pointer: `/${name}`, message: 'must be there' }];
  throw appError('VALIDATION_FAILED', { details });
}

/** Who wants an account, and where they came from. */
type Asking = { email: string; email_key: string; origin: Origin; language: Language | undefined };

/**
 * Mails a link that ends a sign-up, or tells the owner of the address that they have an account. All of it happens after
 * the answer, so neither the answer nor its time tells which it was.
 */
function mailSignUp(
  identity: IdentityContext,
  mailer: Mailer,
  { asking, request }: { asking: Asking; request: FastifyRequest },
): void {
  const { email, email_key, language = FALLBACK_LANGUAGE } = asking;
  identity.background.run(request.log, async () => {
    const owner = await findOwnerOf(identity.db, email_key);
    if (owner && owner.disabled_at !== null) return;
    if (!(await mayAttempt(identity, { limit: 'sign-up mailbox', of: email_key }))) return;
    const home = identity.publicUrl + BASE_PATH;
    const mail = owner
      ? existsMail(owner.email, { language, siteName: mailer.siteName, link: home })
      : signUpMail(email, {
          language,
          siteName: mailer.siteName,
          link: await linkFor(identity, asking),
          isSaid: await isAddressSaid(identity.db, email_key),
        });
    await mailer.send(mail);
    request.log.info({ user_id: owner?.user_id }, 'a mail after a sign-up was sent');
  });
}

async function linkFor(
  { db, now, random, publicUrl }: IdentityContext,
  { email, email_key, origin }: Asking,
): Promise<string> {
  const token = newSecret(random);
  await insertSignUpLink(db, {
    token_hash: secretHash(token),
    email,
    email_key,
    channel: origin.channel ?? null,
    tencent_docs: origin.tencent_docs ?? false,
    expires_at: new Date(now() + ADDRESS_LINK_LIFETIME),
  });
  return `${publicUrl}${SIGN_UP_PATH}#${token}`;
}

/**
 * Makes an account by a mailed link. Name and password are chosen only now: whoever has asked for the link may have been
 * somebody else. A weak password leaves the link good.
 * @throws FORBIDDEN where nobody signs up, MAIL_LINK_INVALID, VALIDATION_FAILED at /nick_name, PASSWORD_TOO_WEAK at
 *   /password, ACCOUNT_EXISTS, SERVICE_UNAVAILABLE
 */
export function finishSignUp(identity: IdentityContext): Handler<typeof signInRoutes.finishSignUp> {
  return async ({ body, request }) => {
    if (!mayEverybodySignUp(identity)) throw appError('FORBIDDEN');
    const tokenHash = secretHash(body.token);
    const link = await findSignUpLink(identity.db, tokenHash, new Date(identity.now()));
    if (!link) throw appError('MAIL_LINK_INVALID');
    const { email, email_key, channel, tencent_docs } = link;
    const nick_name = checkedNickName(body.nick_name);
    await refuseWeak(identity.passwordStrength, body.password, { email, nick_name });
    const password_hash = await identity.passwords.hash(body.password);
    const account = await identity.db.transaction().execute(async (db) => {
      const at = new Date(identity.now());
      const takeLink = () => takeSignUpLink(db, tokenHash, at);
      await takeAddress(db, { emailKey: email_key, userId: undefined, takeLink }, request.log);
      return createAccount(db, identity, {
        email,
        email_key,
        email_verified_at: at,
        nick_name,
        password_hash,
        tencent_docs,
        ...(channel !== null && { channel }),
      });
    });
    await clearGuesses(identity, { secret: 'sign-in', account: email_key, request });
    request.log.info({ user_id: account.user_id }, 'an account was made');
    return {};
  };
}
