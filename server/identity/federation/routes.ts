import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  BASE_PATH,
  LOGIN_ERROR_PARAMETER,
  LOGIN_PATH,
  SSO_ERROR_PARAMETER,
} from '../../../shared/constants.ts';
import { signInRoutes } from '../../../shared/routes/sign-in.ts';
import { appError, isAppError } from '../../http/errors.ts';
import { type Guard, implement, WRITTEN } from '../../http/implement.ts';
import type { IdentityContext } from '../context.ts';
import { acceptedRedirectUri, codeChallengeOf, continueTo } from '../page/redirect-uri.ts';
import { secretHash } from '../secret.ts';
import { originOf } from './document-service.ts';
import { bindPageAgain, bindUrl } from './linking.ts';
import { type Callback, type RedirectMethod, withTimeout } from './method.ts';
import { provision } from './provision.ts';
import { callbackUrl, redirectMethod, redirectToProvider } from './redirect.ts';
import { type SsoLogin, takeSsoLogin } from './store.ts';
import { beginHandOver } from './third-party.ts';

/** Bytes of a form that an identity provider has browsers post: a signed response with many attributes fits in. */
const FORM_BYTES = 256 * 1024;

/** Sign-ins at identity providers: the redirect there and the callback. */
export async function serveFederation(
  app: FastifyInstance,
  openOnly: Guard,
  identity: IdentityContext,
): Promise<void> {
  const { methods, publicUrl } = identity;
  // The code that it leads to goes to the redirect_uri alone, and the gateway has bound that to the browser.
  implement(app, openOnly, signInRoutes.beginSso, async ({ body: { source, ...parameters } }) => {
    codeChallengeOf(parameters, acceptedRedirectUri(parameters.redirect_uri, publicUrl));
    const method = redirectMethod(methods, source);
    if (!method) throw appError('NOT_FOUND');
    originOf(methods, parameters);
    return redirectToProvider(identity, method, {
      source,
      parameters,
      backTo: callbackUrl(publicUrl, source),
    });
  });
  implement(app, openOnly, signInRoutes.beginHandOver, beginHandOver(identity));
  implement(app, openOnly, signInRoutes.finishSso, ({ params, request, reply }) =>
    goTo(reply, finishSso(identity, params.source, request, undefined)),
  );
  implement(app, openOnly, signInRoutes.readSsoMetadata, ({ params: { source }, reply }) => {
    const document = redirectMethod(methods, source)?.metadata?.(callbackUrl(publicUrl, source));
    if (!document) throw appError('NOT_FOUND');
    reply.type(document.type).send(document.text);
    return WRITTEN;
  });
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_BYTES },
      (_request, text, done) => done(null, text),
    );
    implement(scope, openOnly, signInRoutes.finishSsoByForm, ({ params, request, reply }) => {
      const form = new URLSearchParams(typeof request.body === 'string' ? request.body : '');
      return goTo(reply, finishSso(identity, params.source, request, form));
    });
  });
}

async function goTo(reply: FastifyReply, url: Promise<string>): Promise<typeof WRITTEN> {
  reply.redirect(await url, 303);
  return WRITTEN;
}

/**
 * Where a browser goes on from an identity provider's callback. What that says is believed only together with the sign-in
 * that was begun here, once; one that nobody began here starts a sign-in of our own, which the provider then answers
 * without asking the user again.
 */
async function finishSso(
  identity: IdentityContext,
  source: string,
  request: FastifyRequest,
  form: URLSearchParams | undefined,
): Promise<string> {
  const { db, publicUrl } = identity;
  const method = redirectMethod(identity.methods, source);
  if (!method) throw appError('NOT_FOUND');
  const { pathname, search } = new URL(request.url, publicUrl);
  const url = new URL(pathname + search, callbackUrl(publicUrl, source));
  const state = method.stateOf({ url, form });
  if (state === undefined) return `${publicUrl}/api/auth/login`;
  const at = new Date(identity.now());
  const begun = await takeSsoLogin(db, { stateHash: secretHash(state), source, at });
  if (!begun) {
    request.log.warn({ source }, 'callback without a sign-in that was begun here');
    return `${publicUrl}${BASE_PATH}?${LOGIN_ERROR_PARAMETER}=SSO_STATE_INVALID`;
  }
  try {
    return await nextPage(identity, method, begun, { url, form, secrets: begun.secrets }, request);
  } catch (error) {
    if (!isAppError(error)) throw error;
    request.log.warn({ err: error.cause ?? error, code: error.code, source }, 'federated sign-in failed');
    return pageAgain(publicUrl, begun, error.code);
  }
}

async function nextPage(
  identity: IdentityContext,
  method: RedirectMethod,
  { parameters }: SsoLogin,
  callback: Callback,
  { log }: FastifyRequest,
): Promise<string> {
  const { methods, peerTimeout, publicUrl } = identity;
  const { directory, name, source } = method;
  const profile = await withTimeout(peerTimeout, method.finish(callback));
  const redirectUri = acceptedRedirectUri(parameters.redirect_uri, publicUrl);
  if (parameters.bind_for !== undefined) {
    return bindUrl(identity, redirectUri, { source, profile, userId: Number(parameters.bind_for) });
  }
  const origin = originOf(methods, parameters);
  const provisioned = await provision(identity, { directory, profile, origin }, log);
  if ('conflict' in provisioned) return bindUrl(identity, redirectUri, provisioned.conflict);
  const { user_id: userId } = provisioned.account;
  log.info({ user_id: userId, method: name, source }, 'signed in');
  const responseType = parameters.response_type === 'none' ? 'none' : 'code';
  const codeChallenge = parameters.code_challenge ?? null;
  const onward = { userId, method: name, source, redirectUri, responseType, codeChallenge } as const;
  return (await continueTo(identity, onward)).continue_to;
}

/** The page that it was begun on as it was opened, with the reason why it is shown again. */
function pageAgain(publicUrl: string, { parameters }: SsoLogin, code: string): string {
  if (parameters.bind_for !== undefined) return bindPageAgain(publicUrl, parameters, code);
  return `${publicUrl}${LOGIN_PATH}?${new URLSearchParams({ ...parameters, [SSO_ERROR_PARAMETER]: code })}`;
}
