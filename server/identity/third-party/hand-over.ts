import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { signInRoutes } from '../../../shared/routes/sign-in.ts';
import type { SignedInUser, userServiceCalls } from '../../../shared/user-service.ts';
import { appError } from '../../http/errors.ts';
import type { Handler } from '../../http/implement.ts';
import { exchangeCode } from '../codes/exchange-code.ts';
import { issueCode } from '../codes/issue-code.ts';
import type { IdentityContext } from '../context.ts';
import { arrive } from '../external/arrive.ts';
import { pendingBind } from '../external/to-bind.ts';
import { inTime } from '../methods/in-time.ts';
import type { RedirectMethod } from '../methods/method.ts';
import { acceptedRedirectUri } from '../page/redirect-uri.ts';
import { isVerifierOf, secretHash } from '../secret.ts';
import { goElsewhere } from '../sso/go-elsewhere.ts';
import { redirectMethod } from '../sso/redirect-method.ts';
import { takeSsoLogin } from '../sso/store.ts';
import { originOf } from './document-service.ts';

type HandedOver = Static<(typeof userServiceCalls)['thirdPartyAuth']['body']>;

/** Waits under a name that no other way back looks for. */
const waitsAs = (source: string): string => `hand-over ${source}`;

/**
 * Begins a sign-in that the client itself hands over when it is back (3rd-party/oauth2/{source}/auth). The client keeps a
 * verifier of which we get the challenge (as in RFC 7636), so that nobody hands it a sign-in that somebody else began.
 * @throws NOT_FOUND for a source without codes, REDIRECT_URI_REFUSED, LOGIN_SOURCE_UNKNOWN, SERVICE_UNAVAILABLE
 */
export function beginHandOver(identity: IdentityContext): Handler<typeof signInRoutes.beginHandOver> {
  return async ({ body }) => {
    const { source, ...parameters } = body;
    const redirectUri = acceptedRedirectUri(parameters.redirect_uri, identity.publicUrl);
    if (redirectUri.search !== '') throw appError('REDIRECT_URI_REFUSED');
    const method = codeMethod(identity, source);
    originOf(identity.methods, parameters);
    const kept = { source: waitsAs(source), parameters };
    return { go_to: await goElsewhere(identity, { method, backTo: redirectUri.href, kept }) };
  };
}

/**
 * Signs in by what a client hands over: the code of a sign-in that it has begun here, once. Answers the user with tokens,
 * or the id of the bind page where the e-mail address has an account already.
 * @throws NOT_FOUND, SSO_STATE_INVALID, SSO_REFUSED, ACCOUNT_DISABLED, SSO_ACCOUNT_UNKNOWN, SERVICE_UNAVAILABLE
 */
export async function signInByHandOver(
  identity: IdentityContext,
  { source, handed, request }: { source: string; handed: HandedOver; request: FastifyRequest },
): Promise<SignedInUser | { need_bind: true; id: string }> {
  const { log } = request;
  const method = codeMethod(identity, source);
  const { state, code, verifier, iss } = handed;
  const at = new Date(identity.now());
  const begun = await takeSsoLogin(identity.db, {
    stateHash: secretHash(state),
    source: waitsAs(source),
    at,
  });
  if (!begun || !isVerifierOf(verifier, begun.parameters.challenge ?? '')) {
    throw appError('SSO_STATE_INVALID');
  }
  const url = new URL(begun.parameters.redirect_uri ?? '');
  url.search = new URLSearchParams({ code, state, ...(iss !== undefined && { iss }) }).toString();
  const returned = { url, form: undefined, secrets: begun.secrets };
  const person = await inTime(identity.peerTimeout, method.finish(returned));
  const origin = originOf(identity.methods, begun.parameters);
  const arrived = await arrive(identity, { directory: method.directory, person, origin }, log);
  if ('clash' in arrived) return { need_bind: true, id: await pendingBind(identity, arrived.clash, null) };
  const { user_id: userId } = arrived.account;
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
