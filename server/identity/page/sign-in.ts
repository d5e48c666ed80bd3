import type { signInRoutes } from '../../../shared/routes/sign-in.ts';
import type { Handler } from '../../http/implement.ts';
import { accountKey } from '../accounts/account-key.ts';
import { findAccountByKey } from '../accounts/store.ts';
import { countGuess, forgiveGuesses, type Guess, rememberNetwork } from '../attempts/guesses.ts';
import type { IdentityContext } from '../context.ts';
import { bindUrl } from '../federation/linking.ts';
import { authenticate } from '../federation/methods.ts';
import { challengeFor } from '../second-factor/challenge/challenge.ts';
import { continueTo } from './continue-to.ts';
import { acceptedRedirectUri, codeChallengeOf } from './redirect-uri.ts';

/**
 * Signs a user in by account and password, or asks for the second factor of whoever has one or must have one.
 * @throws REDIRECT_URI_REFUSED, VALIDATION_FAILED, TOO_MANY_REQUESTS, CREDENTIALS_INVALID, ACCOUNT_DISABLED, SSO_ACCOUNT_UNKNOWN,
 *   SERVICE_UNAVAILABLE
 */
export function signIn(identity: IdentityContext): Handler<typeof signInRoutes.signIn> {
  return async ({ body, request }) => {
    const redirectUri = acceptedRedirectUri(body.redirect_uri, identity.publicUrl);
    const codeChallenge = codeChallengeOf(body, redirectUri);
    const account = accountKey(body.account) ?? '';
    const owner = await findAccountByKey(identity.db, account);
    const guess: Guess = { secret: 'sign-in', account, owner, request };
    await countGuess(identity, guess);
    const authenticated = await authenticate(identity, body, request.log);
    await forgiveGuesses(identity, guess);
    if ('conflict' in authenticated) {
      return { continue_to: await bindUrl(identity, redirectUri, authenticated.conflict), challenge: null };
    }
    const { method, source } = authenticated;
    const { user_id: userId } = authenticated.account;
    const leading = { method, source, redirectUri, responseType: body.response_type, codeChallenge };
    const challenge = await challengeFor(identity, { account: authenticated.account, ...leading });
    if (challenge) return { continue_to: null, challenge };
    await rememberNetwork(identity, userId, request);
    request.log.info({ user_id: userId, method, source }, 'signed in');
    return { ...(await continueTo(identity, { userId, ...leading })), challenge: null };
  };
}
