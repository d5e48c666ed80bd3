import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { signInRoutes } from '../../../shared/routes/sign-in.ts';
import type { SignedInUser, userServiceCalls } from '../../../shared/user-service.ts';
import { appError } from '../../http/errors.ts';
import type { Handler } from '../../http/implement.ts';
import { exchangeCode, issueCode } from '../codes/codes.ts';
import type { IdentityContext } from '../context.ts';
import { acceptedRedirectUri } from '../page/redirect-uri.ts';
import { isVerifierOf, secretHash } from '../secret.ts';
import { originOf } from './document-service.ts';
import { createPendingBind } from './linking.ts';
import { type RedirectMethod, withTimeout } from './method.ts';
import { provision } from './provision.ts';
import { redirectMethod, redirectToProvider } from './redirect.ts';
import { takeSsoLogin } from './store.ts';

/** Stored under a name that no other callback looks for. */
const storedAs = (source: string): string => `hand-over ${source}`;

/**
 * Begins a sign-in whose code the client itself sends us when it is back (3rd-party/oauth2/{source}/auth). The client has
 * a verifier of which we get the challenge (as in RFC 7636), so that nobody sends it a sign-in that somebody else began.
 * @throws NOT_FOUND for a source without codes, REDIRECT_URI_REFUSED, LOGIN_SOURCE_UNKNOWN, SERVICE_UNAVAILABLE
 */
export function beginHandOver(identity: IdentityContext): Handler<typeof signInRoutes.beginHandOver> {
  return async ({ body: { source, ...parameters } }) => {
    const redirectUri = acceptedRedirectUri(parameters.redirect_uri, identity.publicUrl);
    if (redirectUri.search !== '') throw appError('REDIRECT_URI_REFUSED');
    const method = codeMethod(identity, source);
    originOf(identity.methods, parameters);
    const login = { source: storedAs(source), parameters, backTo: redirectUri.href };
    return redirectToProvider(identity, method, login);
  };
}

/**
 * Signs in by a code that a client sends: of a sign-in that it has begun here, once. Answers the user with tokens, or the
 * id of the bind page where the e-mail address has an account already.
 * @throws NOT_FOUND, SSO_STATE_INVALID, SSO_REFUSED, ACCOUNT_DISABLED, SSO_ACCOUNT_UNKNOWN, SERVICE_UNAVAILABLE
 */
export async function signInByHandOver(
  identity: IdentityContext,
  source: string,
  { state, code, verifier, iss }: Static<(typeof userServiceCalls)['thirdPartyAuth']['body']>,
  request: FastifyRequest,
): Promise<SignedInUser | { need_bind: true; id: string }> {
  const { log } = request;
  const method = codeMethod(identity, source);
  const begun = await takeSsoLogin(identity.db, {
    stateHash: secretHash(state),
    source: storedAs(source),
    at: new Date(identity.now()),
  });
  if (!begun || !isVerifierOf(verifier, begun.parameters.challenge ?? '')) {
    throw appError('SSO_STATE_INVALID');
  }
  const url = new URL(begun.parameters.redirect_uri ?? '');
  url.search = new URLSearchParams({ code, state, ...(iss !== undefined && { iss }) }).toString();
  const callback = { url, form: undefined, secrets: begun.secrets };
  const profile = await withTimeout(identity.peerTimeout, method.finish(callback));
  const origin = originOf(identity.methods, begun.parameters);
  const provisioned = await provision(identity, { directory: method.directory, profile, origin }, log);
  if ('conflict' in provisioned) {
    return { need_bind: true, id: await createPendingBind(identity, provisioned.conflict, null) };
  }
  const { user_id: userId } = provisioned.account;
  log.info({ user_id: userId, method: method.name, source }, 'signed in');
  const by = { userId, method: method.name, source, redirectUri: null, codeChallenge: null };
  return exchangeCode(identity, { code: await issueCode(identity, by) }, request);
}

/** @throws NOT_FOUND for a source that no codes come from */
function codeMethod({ methods }: IdentityContext, source: string): RedirectMethod {
  const method = redirectMethod(methods, source);
  if (method?.name !== 'oauth2' && method?.name !== 'oidc') throw appError('NOT_FOUND');
  return method;
}
