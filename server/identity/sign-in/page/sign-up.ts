import type { FastifyRequest } from 'fastify';
import { BASE_PATH, SIGN_UP_PATH } from '../../../../shared/constants.ts';
import type { Language } from '../../../../shared/languages.ts';
import type { signInRoutes } from '../../../../shared/routes/sign-in.ts';
import { networkOf } from '../../../http/client-address.ts';
import { appError } from '../../../http/errors.ts';
import type { Handler } from '../../../http/implement.ts';
import { createAccount, validateEmail, validateNickName, validationFailed } from '../../accounts/account.ts';
import { findSignUpLink, isUnverifiedSignIn } from '../../accounts/address-store.ts';
import { claimAddress } from '../../accounts/addresses.ts';
import { requireStrongPassword } from '../../accounts/passwords.ts';
import { findOwnerOf } from '../../accounts/store.ts';
import { ADDRESS_LINK_LIFETIME } from '../../lifetimes.ts';
import { sendAccountMail } from '../../mail/account-mails.ts';
import { newSecret, secretHash } from '../../secret.ts';
import { consumeLink, insertRow } from '../../store.ts';
import { resetGuesses } from '../attempts/guesses.ts';
import { consumeAttempt, tryConsumeAttempt } from '../attempts/rate-limit.ts';
import { continueTo, validateCodeChallenge, validateRedirectUri } from '../codes/codes.ts';
import type { SignInContext } from '../context.ts';
import { originOf } from '../federation/methods.ts';
import type { Origin } from '../federation/provision.ts';

/**
 * Creates an account and signs its user in. If the deployment sends mails, a mailed link creates the account instead, and
 * the response does not reveal whether one exists; otherwise the address must be free.
 * @throws FORBIDDEN unless anybody may sign up, REDIRECT_URI_REFUSED, VALIDATION_FAILED, PASSWORD_TOO_WEAK at /password,
 *   TOO_MANY_REQUESTS, ACCOUNT_EXISTS, SERVICE_UNAVAILABLE
 */
export function signUp(identity: SignInContext): Handler<typeof signInRoutes.signUp> {
  return async ({ body, request }) => {
    if (identity.signUp !== 'open') throw appError('FORBIDDEN');
    const redirectUri = validateRedirectUri(body.redirect_uri, identity.publicUrl);
    const codeChallenge = validateCodeChallenge(body, redirectUri);
    const { email, email_key } = validateEmail(body.email);
    const origin = originOf(identity.methods, body);
    await consumeAttempt(identity, { limit: 'sign-up address', of: networkOf(request.clientAddress) });
    if (identity.mailer) {
      const signUpRequest = { email, email_key, origin, language: body.language };
      sendSignUpMail(identity, { signUpRequest, request });
      return { continue_to: null };
    }
    const nick_name = validateNickName(requireField(body, 'nick_name'));
    const password = requireField(body, 'password');
    await requireStrongPassword(identity.passwordStrength, password, { email, nick_name });
    const password_hash = await identity.passwords.hash(password);
    const account = await createAccount(identity.db, identity, {
      email,
      email_key,
      nick_name,
      ...origin,
      password_hash,
    });
    request.log.info({ user_id: account.user_id }, 'account created');
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

/** @throws VALIDATION_FAILED for a missing field that only a sign-up by mail may omit */
function requireField<K extends 'nick_name' | 'password'>(body: Partial<Record<K, string>>, name: K): string {
  const value = body[name];
  if (value !== undefined) return value;
  throw validationFailed(`/${name}`, 'is required');
}

type SignUpRequest = { email: string; email_key: string; origin: Origin; language: Language | undefined };

/**
 * Mails a link that completes the sign-up, or informs the owner of the address that they have an account. Runs after the
 * response, so that neither the response nor its time reveals which.
 */
function sendSignUpMail(
  identity: SignInContext,
  { signUpRequest, request }: { signUpRequest: SignUpRequest; request: FastifyRequest },
): void {
  const { email, email_key, language } = signUpRequest;
  identity.background.run(request.log, async () => {
    const owner = await findOwnerOf(identity.db, email_key);
    if (owner && owner.disabled_at !== null) return;
    if (!(await tryConsumeAttempt(identity, { limit: 'sign-up mailbox', of: email_key }))) return;
    if (owner) {
      const link = identity.publicUrl + BASE_PATH;
      await sendAccountMail(
        identity,
        'exists',
        { to: owner.email, language, link, userId: owner.user_id },
        request.log,
      );
    } else {
      const link = await createSignUpLink(identity, signUpRequest);
      const kind = (await isUnverifiedSignIn(identity.db, email_key)) ? 'sign_up_unverified' : 'sign_up';
      const lifetime = ADDRESS_LINK_LIFETIME;
      await sendAccountMail(identity, kind, { to: email, language, link, lifetime }, request.log);
    }
  });
}

async function createSignUpLink(
  { db, now, random, publicUrl }: SignInContext,
  { email, email_key, origin }: SignUpRequest,
): Promise<string> {
  const token = newSecret(random);
  await insertRow(db, 'sign_up_link', {
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
 * Creates an account with a mailed link. Name and password are chosen only now, because somebody else may have requested
 * the link. After a weak password the link stays valid.
 * @throws FORBIDDEN unless anybody may sign up, MAIL_LINK_INVALID, VALIDATION_FAILED at /nick_name, PASSWORD_TOO_WEAK at
 *   /password, ACCOUNT_EXISTS, SERVICE_UNAVAILABLE
 */
export function finishSignUp(identity: SignInContext): Handler<typeof signInRoutes.finishSignUp> {
  return async ({ body, request }) => {
    if (identity.signUp !== 'open') throw appError('FORBIDDEN');
    const tokenHash = secretHash(body.token);
    const link = await findSignUpLink(identity.db, tokenHash, new Date(identity.now()));
    if (!link) throw appError('MAIL_LINK_INVALID');
    const { email, email_key, channel, tencent_docs } = link;
    const nick_name = validateNickName(body.nick_name);
    await requireStrongPassword(identity.passwordStrength, body.password, { email, nick_name });
    const password_hash = await identity.passwords.hash(body.password);
    const account = await identity.db.transaction().execute(async (db) => {
      const at = new Date(identity.now());
      const consume = () => consumeLink(db, 'sign_up_link', tokenHash, at);
      await claimAddress(db, { emailKey: email_key, userId: undefined, consume }, request.log);
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
    await resetGuesses(identity, { secret: 'sign-in', account: email_key, request });
    request.log.info({ user_id: account.user_id }, 'account created');
    return {};
  };
}
