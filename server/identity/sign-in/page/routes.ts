import type { FastifyInstance } from 'fastify';
import { passwordRoutes } from '../../../../shared/routes/password.ts';
import { type SignInOffer, signInRoutes } from '../../../../shared/routes/sign-in.ts';
import { type Handler, implement } from '../../../http/implement.ts';
import { accountKey } from '../../accounts/account.ts';
import { PASSWORD_MIN } from '../../accounts/passwords.ts';
import { findAccountByKey } from '../../accounts/store.ts';
import { checkGuess, type Guess, storeNetwork } from '../attempts/guesses.ts';
import { continueTo, validateCodeChallenge, validateRedirectUri } from '../codes/codes.ts';
import type { SignInContext } from '../context.ts';
import { bindUrl } from '../federation/linking.ts';
import type { SignInMethod } from '../federation/method.ts';
import { authenticate, documentSources } from '../federation/methods.ts';
import { serveFederation } from '../federation/routes.ts';
import { finishReset, removeSecondFactorAfterReset, requestReset } from '../password/password.ts';
import { challengeFor, finishEnrolment, passSecondFactor } from '../second-factor/challenge.ts';
import { finishSignUp, signUp } from './sign-up.ts';

const offerOf = ({ source, name, kind, label }: SignInMethod): SignInOffer => ({
  source,
  method: name,
  kind: kind === 'redirect' ? 'redirect' : 'password',
  label,
});

/** Passwords can be reset only with local accounts. */
function resetBy({ methods, mailer }: SignInContext): 'mail' | 'administrator' | null {
  if (!methods.some(({ kind }) => kind === 'local')) return null;
  return mailer ? 'mail' : 'administrator';
}

/** The calls of the sign-in page. */
export async function servePage(app: FastifyInstance): Promise<void> {
  const { identity } = app;
  implement(app, signInRoutes.readSignInOptions, () => ({
    methods: identity.methods.map(offerOf),
    document_services: documentSources(identity.methods).map(({ method: { source }, service }) => ({
      source,
      ...service,
    })),
    sign_up: identity.signUp === 'open',
    sign_up_by_mail: identity.signUp === 'open' && identity.mailer !== undefined,
    password_min: PASSWORD_MIN,
    reset: resetBy(identity),
  }));
  implement(app, signInRoutes.signIn, signIn(identity));
  implement(app, signInRoutes.passSecondFactor, passSecondFactor(identity));
  implement(app, signInRoutes.finishEnrolment, finishEnrolment(identity));
  implement(app, signInRoutes.signUp, signUp(identity));
  implement(app, signInRoutes.finishSignUp, finishSignUp(identity));
  implement(app, passwordRoutes.askPasswordReset, requestReset(identity));
  implement(app, passwordRoutes.finishPasswordReset, finishReset(identity));
  implement(app, passwordRoutes.removeSecondFactorAfterReset, removeSecondFactorAfterReset(identity));
  await serveFederation(app);
}

/**
 * Signs a user in with account and password, or returns a challenge if the user has or needs a second factor.
 * @throws REDIRECT_URI_REFUSED, VALIDATION_FAILED, TOO_MANY_REQUESTS, CREDENTIALS_INVALID, ACCOUNT_DISABLED, SSO_ACCOUNT_UNKNOWN,
 *   SERVICE_UNAVAILABLE
 */
function signIn(identity: SignInContext): Handler<typeof signInRoutes.signIn> {
  return async ({ body, request }) => {
    const redirectUri = validateRedirectUri(body.redirect_uri, identity.publicUrl);
    const codeChallenge = validateCodeChallenge(body, redirectUri);
    const account = accountKey(body.account) ?? '';
    const owner = await findAccountByKey(identity.db, account);
    const guess: Guess = { secret: 'sign-in', account, owner, request };
    const authenticated = await checkGuess(identity, guess, (onWrong) =>
      authenticate(identity, body, { log: request.log, onWrong }),
    );
    if ('conflict' in authenticated) {
      return { continue_to: await bindUrl(identity, redirectUri, authenticated.conflict), challenge: null };
    }
    const { method, source } = authenticated;
    const { user_id: userId } = authenticated.account;
    const signIn = { method, source, redirectUri, responseType: body.response_type, codeChallenge };
    const challenge = await challengeFor(identity, { account: authenticated.account, ...signIn });
    if (challenge) return { continue_to: null, challenge };
    await storeNetwork(identity, userId, request);
    request.log.info({ user_id: userId, method, source }, 'signed in');
    identity.metrics.countSignIn(method, 'success');
    return { ...(await continueTo(identity, { userId, ...signIn })), challenge: null };
  };
}
