import type { ErrorDetail } from '../../../shared/errors.ts';
import type { signInRoutes } from '../../../shared/routes/sign-in.ts';
import { appError } from '../../http/errors.ts';
import type { Handler } from '../../http/implement.ts';
import { checkedEmail, checkedNickName } from '../accounts/account-fields.ts';
import { createAccount } from '../accounts/create-account.ts';
import { refuseWeak } from '../accounts/password-strength.ts';
import { countAttempt } from '../attempts/attempt-limit.ts';
import { networkAddress } from '../attempts/network-address.ts';
import type { IdentityContext } from '../context.ts';
import { originOf } from '../federation/document-service.ts';
import { mayEverybodySignUp } from '../federation/methods.ts';
import { continueTo } from './continue-to.ts';
import { acceptedRedirectUri, codeChallengeOf } from './redirect-uri.ts';
import { mailSignUp } from './sign-up-by-mail.ts';

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
