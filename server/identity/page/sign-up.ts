import type { signInRoutes } from '../../../shared/routes/sign-in.ts';
import { appError } from '../../http/errors.ts';
import type { Handler } from '../../http/implement.ts';
import { createAccount } from '../accounts/create-account.ts';
import { refuseWeak } from '../accounts/password-judge.ts';
import { checkedEmail, checkedNickName } from '../accounts/person-fields.ts';
import { countAttempt } from '../attempts/attempt-limit.ts';
import { networkAddress } from '../attempts/network-address.ts';
import type { IdentityContext } from '../context.ts';
import { originOf } from '../third-party/document-service.ts';
import { continueTo } from './continue-to.ts';
import { acceptedRedirectUri, codeChallengeOf } from './redirect-uri.ts';

/** Whether visitors make accounts of their own in this deployment. */
export function mayEverybodySignUp({ methods }: Pick<IdentityContext, 'methods'>): boolean {
  return methods.some((method) => method.kind === 'local' && method.signUp);
}

/**
 * Makes an account and signs its person in.
 * @throws FORBIDDEN where nobody may, REDIRECT_URI_REFUSED, VALIDATION_FAILED, PASSWORD_TOO_WEAK at /password, TOO_MANY_REQUESTS, ACCOUNT_EXISTS,
 *   SERVICE_UNAVAILABLE
 */
export function signUp(identity: IdentityContext): Handler<typeof signInRoutes.signUp> {
  return async ({ body, request }) => {
    if (!mayEverybodySignUp(identity)) throw appError('FORBIDDEN');
    const redirectUri = acceptedRedirectUri(body.redirect_uri, identity.publicUrl);
    const codeChallenge = codeChallengeOf(body, redirectUri);
    const { email, email_key } = checkedEmail(body.email);
    const nick_name = checkedNickName(body.nick_name);
    const origin = originOf(identity.methods, body);
    await countAttempt(identity, { limit: 'sign-up address', of: networkAddress(request.ip) });
    await refuseWeak(identity.judge, body.password, { email, nick_name });
    const password_hash = await identity.passwords.hash(body.password);
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
