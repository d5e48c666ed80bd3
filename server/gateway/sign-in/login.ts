import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { BASE_PATH } from '../../../shared/constants.ts';
import { authRoutes } from '../../../shared/routes/auth.ts';
import type { Cookies } from '../../http/cookies.ts';
import { appError, isAppError } from '../../http/errors.ts';
import { implement } from '../../http/implement.ts';
import { exchangeCode } from './begin-session.ts';
import type { Transaction, UxMode } from './cookies.ts';
import {
  bindPath,
  callbackUrl,
  hasLocalAccounts,
  returnPath,
  startPath,
  validateLoginParams,
} from './login-params.ts';
import {
  type FailedSignIn,
  isFromOtherSite,
  openerPolicy,
  sendFailedPage,
  sendScriptPage,
} from './script-pages.ts';

const HEADERS = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };

/** Start and callback of a sign-in. */
export async function loginRoutes(app: FastifyInstance): Promise<void> {
  const { gateway, provider, transactions } = app;
  const { config } = gateway;
  const startHeaders = {
    ...HEADERS,
    'cross-origin-opener-policy': openerPolicy(config),
    // Without `sandbox`, which browsers refuse beside an opener policy.
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  };

  /** Stores a one-time transaction and redirects to the login page. An existing session stays valid. */
  implement(app, authRoutes.startLogin, async ({ query, request, reply }): Promise<undefined> => {
    const { return_to, ux_mode: asked, embed, txDocFolderId: folder, ...loginParams } = query;
    const mode = asked ?? config.login.uxMode;
    const returnTo = returnPath(return_to, config.publicUrl);
    reply.headers(startHeaders);
    try {
      if (embed) requireFrameInTool(request, mode);
      const params = validateLoginParams(loginParams);
      const { ux_from = '', login_source_id } = params;
      // Accounts of our own identity service are bound on our bind page; an external service has its own.
      const bindsHere = params.bind_other && login_source_id !== undefined && hasLocalAccounts(config);
      const transaction = transactions.create({
        return_to: bindsHere ? bindPath({ ux_from, login_source_id }, { returnTo, folder }) : returnTo,
        ux_mode: mode,
        ...(embed && { in_tool: true as const }),
        ...((await isSignedIn(request)) && { again: true as const }),
        ...(folder !== undefined && { folder }),
        secrets: provider.secrets(),
      });
      const address = await provider.loginUrl(transaction, params);
      transactions.store(reply, transaction);
      reply.redirect(address, 302);
    } catch (error) {
      failWithPage(reply, error, { returnTo, mode });
    }
  });

  /**
   * Exchanges the code for a session, only with a transaction of this browser (R 9.7), and redirects to
   * `return_to`. With the force flag the code is ignored and the sign-in starts again (R 8.8).
   */
  implement(app, authRoutes.finishLogin, async ({ query, request, reply }): Promise<undefined> => {
    const { code, app: appName, bind, error: reason, force } = query;
    let pending: Transaction | undefined;
    reply.headers(HEADERS);
    if (query.again === undefined && isFromOtherSite(request)) {
      sendScriptPage(reply, { name: 'again' });
      return;
    }
    try {
      const nonce = query.nonce ?? query.state;
      if (nonce === undefined) throw appError('AUTH_NOT_CONFIGURED');
      const transaction = await transactions.finish(reply, nonce);
      if (!transaction) throw appError('LOGIN_TRANSACTION_INVALID');
      pending = transaction;
      const { return_to: returnTo, ux_mode: mode } = transaction;
      if (force !== undefined) {
        reply.redirect(startPath({ return_to: returnTo, ux_mode: mode, force }), 303);
        return;
      }
      if (!code && bind !== undefined) {
        openBindPage(app, reply, transaction, bind);
        return;
      }
      if (!code || reason !== undefined)
        throw appError('CODE_INVALID', { cause: new Error(`no code: ${errorNameOf(reason)}`) });
      await exchangeCode(app, reply, { code, app: appName, transaction });
      if (mode === 'redirect') reply.redirect(returnTo, 303);
      else sendScriptPage(reply, { name: 'signedIn', data: { 'return-to': returnTo, mode } });
    } catch (error) {
      failWithPage(reply, error, { returnTo: pending?.return_to, mode: pending?.ux_mode });
    }
  });
}

/**
 * A session for pages inside a design tool begins only in a frame of such a page, so that no window of this site ever has it, and
 * on https, without which its cookie does not exist.
 * @throws AppError NOT_FOUND without tools, CSRF_REFUSED
 */
function requireFrameInTool({ headers, server }: FastifyRequest, mode: UxMode): void {
  const { config, secure } = server.gateway;
  if (config.toolOrigins.length === 0 || !secure) throw appError('NOT_FOUND');
  const isFrame = headers['sec-fetch-dest'] === 'iframe' && headers['sec-fetch-site'] === 'same-origin';
  if (!isFrame || mode !== 'auth') throw appError('CSRF_REFUSED');
}

/** Whether this browser has a session; false while its tokens are unavailable. */
export async function isSignedIn(request: FastifyRequest): Promise<boolean> {
  try {
    return (await request.loadSession('none')) !== null;
  } catch {
    return false;
  }
}

/**
 * Where the login page leads who is signed in: to the address of its own pending sign-in, or else home. Undefined if they are
 * asked to sign in again, or for a dialog, a document service or the callback of another service.
 */
export function onwardPath(
  { gateway: { config }, transactions }: FastifyInstance,
  cookies: Cookies,
  query: URLSearchParams,
): string | undefined {
  const redirectUri = query.get('redirect_uri');
  if (!redirectUri) return BASE_PATH;
  const nonce = URL.canParse(redirectUri) ? new URL(redirectUri).searchParams.get('nonce') : null;
  if (nonce === null || redirectUri !== callbackUrl(config, nonce)) return undefined;
  const isPlain = (query.get('ux_mode') ?? 'redirect') === 'redirect' && !query.has('login_source_id');
  const pending = transactions.find(cookies, nonce);
  return isPlain && !pending?.again ? (pending?.return_to ?? BASE_PATH) : undefined;
}

/** Redirects to the bind page. Its URL has a handle; the id of the binding stays in a cookie. */
function openBindPage(
  { gateway: { config }, pendingBinds }: FastifyInstance,
  reply: FastifyReply,
  { return_to, onward: returnTo = return_to, folder, ux_mode, nonce }: Transaction,
  id: string,
): void {
  const handle = pendingBinds.store(reply, { id, redirect_uri: callbackUrl(config, nonce) });
  const next = bindPath({ id: handle }, { returnTo, folder });
  if (ux_mode === 'redirect') reply.redirect(next, 303);
  else sendScriptPage(reply, { name: 'openBind', data: { next } });
}

/** A browser gets a page that returns to the site; other clients get the error envelope. */
function failWithPage(reply: FastifyReply, error: unknown, failed: FailedSignIn): void {
  const { headers, log } = reply.request;
  if (!isAppError(error) || !headers.accept?.includes('text/html')) throw error;
  log.warn({ err: error.cause ?? error, code: error.code }, 'sign-in failed');
  sendFailedPage(reply.code(error.statusCode), error.code, failed);
}

/** An OAuth 2 error code (RFC 6749 section 4.1.2.1); anything else is not logged. */
function errorNameOf(reason: string | undefined): string {
  return reason !== undefined && /^[a-z_]{1,64}$/.test(reason) ? reason : 'no reason given';
}
