import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  BASE_PATH,
  LOGIN_ERROR_PARAMETER,
  LOGIN_PATH,
  SSO_ERROR_PARAMETER,
} from '../../../shared/constants.ts';
import { appError, isAppError } from '../../http/errors.ts';
import { WRITTEN } from '../../http/implement.ts';
import type { IdentityContext } from '../context.ts';
import { arrive } from '../external/arrive.ts';
import { toBind } from '../external/to-bind.ts';
import { inTime } from '../methods/in-time.ts';
import type { RedirectMethod } from '../methods/method.ts';
import { continueTo } from '../page/continue-to.ts';
import { acceptedRedirectUri } from '../page/redirect-uri.ts';
import { secretHash } from '../secret.ts';
import { bindPageAgain } from '../third-party/begin-bind.ts';
import { originOf } from '../third-party/document-service.ts';
import { callbackUrl } from './callback-url.ts';
import { redirectMethod } from './redirect-method.ts';
import { type SsoLogin, takeSsoLogin } from './store.ts';

type Back = {
  source: string;
  request: FastifyRequest;
  reply: FastifyReply;
  form: URLSearchParams | undefined;
};

/**
 * Where another sign-in page sends people back to. What it says is believed only together with the sign-in that was
 * begun here, once; a hand-over that nobody began here starts a sign-in of our own, which the other page then answers
 * without asking the person again.
 */
export async function finishSso(identity: IdentityContext, back: Back): Promise<typeof WRITTEN> {
  const { source, request, reply, form } = back;
  const method = redirectMethod(identity.methods, source);
  if (!method) throw appError('NOT_FOUND');
  const url = new URL(request.url, identity.publicUrl);
  const state = method.stateOf({ url, form });
  if (state === undefined) return goTo(reply, `${identity.publicUrl}/api/auth/login`);
  const begun = await takeSsoLogin(identity.db, {
    stateHash: secretHash(state),
    source,
    at: new Date(identity.now()),
  });
  if (!begun) {
    request.log.warn({ source }, 'a sign-in came back that was not begun here, or has run out');
    return goTo(reply, `${identity.publicUrl}${BASE_PATH}?${LOGIN_ERROR_PARAMETER}=SSO_STATE_INVALID`);
  }
  try {
    return goTo(reply, await nextPage(identity, { method, begun, url, form, request }));
  } catch (error) {
    if (!isAppError(error)) throw error;
    request.log.warn({ err: error.cause ?? error, code: error.code, source }, 'a sign-in elsewhere failed');
    return goTo(reply, pageAgain(identity.publicUrl, begun, error.code));
  }
}

async function nextPage(
  identity: IdentityContext,
  given: {
    method: RedirectMethod;
    begun: SsoLogin;
    url: URL;
    form: URLSearchParams | undefined;
    request: FastifyRequest;
  },
): Promise<string> {
  const { method, begun, url, form, request } = given;
  const { source, parameters } = begun;
  const person = await inTime(
    identity.peerTimeout,
    method.finish({
      url: new URL(url.pathname + url.search, callbackUrl(identity.publicUrl, source)),
      form,
      secrets: begun.secrets,
    }),
  );
  const redirectUri = acceptedRedirectUri(parameters.redirect_uri, identity.publicUrl);
  if (parameters.bind_for !== undefined) {
    return toBind(identity, redirectUri, { source, person, userId: Number(parameters.bind_for) });
  }
  const origin = originOf(identity.methods, parameters);
  const arrived = await arrive(identity, { directory: method.directory, person, origin }, request.log);
  if ('clash' in arrived) return toBind(identity, redirectUri, arrived.clash);
  const { user_id } = arrived.account;
  request.log.info({ user_id, method: method.name, source: method.source }, 'signed in');
  const { continue_to } = await continueTo(identity, {
    userId: user_id,
    method: method.name,
    source: method.source,
    redirectUri,
    responseType: parameters.response_type === 'none' ? 'none' : 'code',
    codeChallenge: parameters.code_challenge ?? null,
  });
  return continue_to;
}

function goTo(reply: FastifyReply, url: string): typeof WRITTEN {
  reply.redirect(url, 303);
  return WRITTEN;
}

/** The page that it was begun on as it was opened, with the reason why it is shown again. */
function pageAgain(publicUrl: string, { parameters }: SsoLogin, code: string): string {
  if (parameters.bind_for !== undefined) return bindPageAgain(publicUrl, parameters, code);
  return `${publicUrl}${LOGIN_PATH}?${new URLSearchParams({ ...parameters, [SSO_ERROR_PARAMETER]: code })}`;
}
