import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import {
  BASE_PATH,
  LOGIN_ERROR_PARAMETER,
  LOGIN_PATH,
  SSO_ERROR_PARAMETER,
} from '../../../../shared/constants.ts';
import { signInRoutes } from '../../../../shared/routes/sign-in.ts';
import type { SignedInUser, userServiceCalls } from '../../../../shared/user-service.ts';
import { appError, isAppError } from '../../../http/errors.ts';
import { type Handler, implement, WRITTEN } from '../../../http/implement.ts';
import { isVerifierOf, secretHash } from '../../secret.ts';
import {
  continueTo,
  exchangeCode,
  issueCode,
  validateCodeChallenge,
  validateRedirectUri,
} from '../codes/codes.ts';
import type { SignInContext } from '../context.ts';
import { bindUrl, createPendingBind, retryBindPage } from './linking.ts';
import {
  type Callback,
  callbackUrl,
  findRedirectMethod,
  type RedirectMethod,
  redirectToProvider,
  withTimeout,
} from './method.ts';
import { originOf } from './methods.ts';
import { provision } from './provision.ts';
import { consumeSsoLogin, type SsoLogin } from './store.ts';

/** Bytes of a posted callback form; a signed response with many attributes fits. */
const FORM_BYTES = 256 * 1024;

/** Sign-ins at identity providers: redirect and callback. */
export async function serveFederation(app: FastifyInstance): Promise<void> {
  const { identity } = app;
  const { methods, publicUrl } = identity;
  // The resulting code goes to the redirect_uri only, which the gateway has bound to the browser.
  implement(app, signInRoutes.beginSso, async ({ body: { source, ...parameters } }) => {
    validateCodeChallenge(parameters, validateRedirectUri(parameters.redirect_uri, publicUrl));
    const method = findRedirectMethod(methods, source);
    if (!method) throw appError('NOT_FOUND');
    originOf(methods, parameters);
    return redirectToProvider(identity, method, {
      source,
      parameters,
      backTo: callbackUrl(publicUrl, source),
    });
  });
  implement(app, signInRoutes.beginHandOver, beginHandOver(identity));
  implement(app, signInRoutes.finishSso, ({ params, request, reply }) =>
    redirectTo(reply, finishSso(identity, params.source, request, undefined)),
  );
  implement(app, signInRoutes.readSsoMetadata, ({ params: { source }, reply }) => {
    const document = findRedirectMethod(methods, source)?.metadata?.(callbackUrl(publicUrl, source));
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
    implement(scope, signInRoutes.finishSsoByForm, ({ params, request, reply }) => {
      const form = new URLSearchParams(typeof request.body === 'string' ? request.body : '');
      return redirectTo(reply, finishSso(identity, params.source, request, form));
    });
  });
}

async function redirectTo(reply: FastifyReply, url: Promise<string>): Promise<typeof WRITTEN> {
  reply.redirect(await url, 303);
  return WRITTEN;
}

/**
 * The address after an identity provider's callback. A callback is accepted once, and only for a sign-in that was started
 * here. One without a `state` starts a new sign-in, which the provider completes without asking the user again.
 */
async function finishSso(
  identity: SignInContext,
  source: string,
  request: FastifyRequest,
  form: URLSearchParams | undefined,
): Promise<string> {
  const { db, publicUrl } = identity;
  const method = findRedirectMethod(identity.methods, source);
  if (!method) throw appError('NOT_FOUND');
  const { pathname, search } = new URL(request.url, publicUrl);
  const url = new URL(pathname + search, callbackUrl(publicUrl, source));
  const state = method.stateOf({ url, form });
  if (state === undefined) return `${publicUrl}/api/auth/login`;
  const at = new Date(identity.now());
  const started = await consumeSsoLogin(db, { stateHash: secretHash(state), source, at });
  if (!started) {
    request.log.warn({ source }, 'SSO callback without a pending sign-in');
    return `${publicUrl}${BASE_PATH}?${LOGIN_ERROR_PARAMETER}=SSO_STATE_INVALID`;
  }
  try {
    return await completeSso(identity, method, started, { url, form, secrets: started.secrets }, request);
  } catch (error) {
    identity.metrics.countFailed(method.name, error);
    if (!isAppError(error)) throw error;
    request.log.warn({ err: error.cause ?? error, code: error.code, source }, 'federated sign-in failed');
    return retryPage(publicUrl, started, error.code);
  }
}

async function completeSso(
  identity: SignInContext,
  method: RedirectMethod,
  { parameters }: SsoLogin,
  callback: Callback,
  { log }: FastifyRequest,
): Promise<string> {
  const { methods, peerTimeout, publicUrl } = identity;
  const { directory, name, source } = method;
  const profile = await withTimeout(peerTimeout, method.finish(callback));
  const redirectUri = validateRedirectUri(parameters.redirect_uri, publicUrl);
  if (parameters.bind_for !== undefined) {
    return bindUrl(identity, redirectUri, { source, profile, userId: Number(parameters.bind_for) });
  }
  const origin = originOf(methods, parameters);
  const provisioned = await provision(identity, { directory, profile, origin }, log);
  if ('conflict' in provisioned) return bindUrl(identity, redirectUri, provisioned.conflict);
  const { user_id: userId } = provisioned.account;
  log.info({ user_id: userId, method: name, source }, 'signed in');
  identity.metrics.countSignIn(name, 'success');
  const responseType = parameters.response_type === 'none' ? 'none' : 'code';
  const codeChallenge = parameters.code_challenge ?? null;
  const onward = { userId, method: name, source, redirectUri, responseType, codeChallenge } as const;
  return (await continueTo(identity, onward)).continue_to;
}

/** Address of the page where the sign-in started, with an error code. */
function retryPage(publicUrl: string, { parameters }: SsoLogin, code: string): string {
  if (parameters.bind_for !== undefined) return retryBindPage(publicUrl, parameters, code);
  return `${publicUrl}${LOGIN_PATH}?${new URLSearchParams({ ...parameters, [SSO_ERROR_PARAMETER]: code })}`;
}

/** Name that the callback route never looks up. */
const handOverSource = (source: string): string => `hand-over ${source}`;

/**
 * Starts a sign-in whose code the client itself sends us afterwards (3rd-party/oauth2/{source}/auth). The client keeps a
 * verifier and sends us its challenge (as in RFC 7636), so that nobody can inject a sign-in that somebody else started.
 * @throws NOT_FOUND for a source without authorization codes, REDIRECT_URI_REFUSED, LOGIN_SOURCE_UNKNOWN, SERVICE_UNAVAILABLE
 */
export function beginHandOver(identity: SignInContext): Handler<typeof signInRoutes.beginHandOver> {
  return async ({ body: { source, ...parameters } }) => {
    const redirectUri = validateRedirectUri(parameters.redirect_uri, identity.publicUrl);
    if (redirectUri.search !== '') throw appError('REDIRECT_URI_REFUSED');
    const method = codeMethod(identity, source);
    originOf(identity.methods, parameters);
    const login = { source: handOverSource(source), parameters, backTo: redirectUri.href };
    return redirectToProvider(identity, method, login);
  };
}

/**
 * Signs in with a code that a client sends, once, for a sign-in that it has started here. Returns the user with tokens, or
 * the id of the bind page when the e-mail address belongs to another account.
 * @throws NOT_FOUND, SSO_STATE_INVALID, SSO_REFUSED, ACCOUNT_DISABLED, SSO_ACCOUNT_UNKNOWN, SERVICE_UNAVAILABLE
 */
export async function signInByHandOver(
  identity: SignInContext,
  source: string,
  { state, code, verifier, iss }: Static<(typeof userServiceCalls)['thirdPartyAuth']['body']>,
  request: FastifyRequest,
): Promise<SignedInUser | { need_bind: true; id: string }> {
  const { log } = request;
  const method = codeMethod(identity, source);
  const started = await consumeSsoLogin(identity.db, {
    stateHash: secretHash(state),
    source: handOverSource(source),
    at: new Date(identity.now()),
  });
  if (!started || !isVerifierOf(verifier, started.parameters.challenge ?? '')) {
    throw appError('SSO_STATE_INVALID');
  }
  const url = new URL(started.parameters.redirect_uri ?? '');
  url.search = new URLSearchParams({ code, state, ...(iss !== undefined && { iss }) }).toString();
  const callback = { url, form: undefined, secrets: started.secrets };
  const profile = await withTimeout(identity.peerTimeout, method.finish(callback)).catch((error: unknown) => {
    identity.metrics.countFailed(method.name, error);
    throw error;
  });
  const origin = originOf(identity.methods, started.parameters);
  const provisioned = await provision(identity, { directory: method.directory, profile, origin }, log);
  if ('conflict' in provisioned) {
    return { need_bind: true, id: await createPendingBind(identity, provisioned.conflict, null) };
  }
  const { user_id: userId } = provisioned.account;
  log.info({ user_id: userId, method: method.name, source }, 'signed in');
  identity.metrics.countSignIn(method.name, 'success');
  const by = { userId, method: method.name, source, redirectUri: null, codeChallenge: null };
  return exchangeCode(identity, { code: await issueCode(identity, by) }, request);
}

/** @throws NOT_FOUND for a source without authorization codes */
function codeMethod({ methods }: SignInContext, source: string): RedirectMethod {
  const method = findRedirectMethod(methods, source);
  if (method?.name !== 'oauth2' && method?.name !== 'oidc') throw appError('NOT_FOUND');
  return method;
}
