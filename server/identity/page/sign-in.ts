import type { FastifyRequest } from 'fastify';
import type { signInRoutes } from '../../../shared/routes/sign-in.ts';
import type { Handler } from '../../http/implement.ts';
import { accountKey } from '../accounts/account-key.ts';
import { clearAttempts, countAttempt, forgiveAttempt, type Subject } from '../attempts/attempt-limit.ts';
import { networkAddress } from '../attempts/network-address.ts';
import type { IdentityContext } from '../context.ts';
import { toBind } from '../external/to-bind.ts';
import { authenticate } from '../methods/authenticate.ts';
import { challengeFor } from '../second-factor/challenge/challenge.ts';
import { continueTo } from './continue-to.ts';
import { acceptedRedirectUri, codeChallengeOf } from './redirect-uri.ts';

/**
 * Signs a person in by account and password, or asks for the second factor of whoever has one or must have one.
 * @throws REDIRECT_URI_REFUSED, VALIDATION_FAILED, TOO_MANY_REQUESTS, CREDENTIALS_INVALID, ACCOUNT_DISABLED, SSO_ACCOUNT_UNKNOWN,
 *   SERVICE_UNAVAILABLE
 */
export function signIn(identity: IdentityContext): Handler<typeof signInRoutes.signIn> {
  return async ({ body, request }) => {
    const redirectUri = acceptedRedirectUri(body.redirect_uri, identity.publicUrl);
    const codeChallenge = codeChallengeOf(body, redirectUri);
    const limits = limitsOf(body.account, request);
    await countAttempt(identity, limits.address);
    await countAttempt(identity, limits.account);
    const arrived = await authenticate(identity, body, request.log);
    await clearAttempts(identity, limits.account);
    await forgiveAttempt(identity, limits.address);
    if ('clash' in arrived) {
      return { continue_to: await toBind(identity, redirectUri, arrived.clash), challenge: null };
    }
    const { account, method, source } = arrived;
    const leading = { method, source, redirectUri, responseType: body.response_type, codeChallenge };
    const challenge = await challengeFor(identity, { account, ...leading });
    if (challenge) return { continue_to: null, challenge };
    request.log.info({ user_id: account.user_id, method, source }, 'signed in');
    const arrival = { userId: account.user_id, ...leading };
    return { ...(await continueTo(identity, arrival)), challenge: null };
  };
}

/** Counted by what was typed, not by the account found, so that the count does not tell whether there is one. */
function limitsOf(account: string, request: FastifyRequest): { account: Subject; address: Subject } {
  return {
    account: { limit: 'sign-in account', of: accountKey(account) ?? '' },
    address: { limit: 'sign-in address', of: networkAddress(request.ip) },
  };
}
