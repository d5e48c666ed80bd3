import type { FastifyInstance, FastifyReply } from 'fastify';
import { authRoutes } from '../../../shared/routes/auth.ts';
import { appError, isAppError } from '../../http/errors.ts';
import { everybody, implement } from '../../http/implement.ts';
import { exchangeCode } from './begin-session.ts';
import type { Transaction } from './cookies.ts';
import { bindPath, callbackUrl, hasLocalAccounts, startPath, validateLoginParams } from './login-params.ts';
import { returnPath } from './return-to.ts';
import {
  isFromElsewhere,
  openerPolicy,
  type Sought,
  sendFailedPage,
  sendScriptPage,
} from './script-pages.ts';

const HEADERS = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };

/** Begins sign-ins, and ends them where the login page leads back to. */
export async function loginRoutes(app: FastifyInstance): Promise<void> {
  const { gateway, provider, transactions } = app;
  const { config } = gateway;
  const startHeaders = {
    ...HEADERS,
    'cross-origin-opener-policy': openerPolicy(config),
    // Without `sandbox`, which browsers refuse beside an opener policy.
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  };

  /** The browser gets a one-time transaction and goes to the login page. A session that is there stays. */
  implement(app, everybody, authRoutes.startLogin, async ({ query, reply }): Promise<undefined> => {
    const { return_to, ux_mode: mode = config.login.uxMode, txDocFolderId: folder, ...asked } = query;
    const returnTo = returnPath(return_to, config.publicUrl);
    reply.headers(startHeaders);
    try {
      const params = validateLoginParams(asked);
      const { ux_from = '', login_source_id } = params;
      // Our own identity service binds an account to the one signed in to; another service leads to its bind page itself.
      const bindsHere = params.bind_other && login_source_id !== undefined && hasLocalAccounts(config);
      const transaction = transactions.create({
        return_to: bindsHere ? bindPath({ ux_from, login_source_id }, { returnTo, folder }) : returnTo,
        ux_mode: mode,
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
   * Without a transaction of this browser nothing is exchanged (requirement 7); with one the code becomes a session, and
   * users go on to where they wanted to be. With the force flag the code is passed over and the sign-in begins again
   * (specification section 4).
   */
  implement(app, everybody, authRoutes.finishLogin, async ({ query, request, reply }): Promise<undefined> => {
    const { code, app: appName, bind, error: reason, force } = query;
    let begun: Transaction | undefined;
    reply.headers(HEADERS);
    if (query.again === undefined && isFromElsewhere(request)) {
      sendScriptPage(reply, { name: 'again' });
      return;
    }
    try {
      const nonce = query.nonce ?? query.state;
      if (nonce === undefined) throw appError('AUTH_NOT_CONFIGURED');
      const transaction = await transactions.finish(reply, nonce);
      if (!transaction) throw appError('LOGIN_TRANSACTION_INVALID');
      begun = transaction;
      const { return_to: returnTo, ux_mode: mode } = transaction;
      if (force !== undefined) {
        reply.redirect(startPath({ return_to: returnTo, ux_mode: mode, force }), 303);
        return;
      }
      if (!code && bind !== undefined) {
        goAndBind(app, reply, transaction, bind);
        return;
      }
      if (!code || reason !== undefined)
        throw appError('CODE_INVALID', { cause: new Error(`no code: ${errorNameOf(reason)}`) });
      await exchangeCode(app, reply, { code, app: appName, transaction });
      if (mode === 'redirect') reply.redirect(returnTo, 303);
      else sendScriptPage(reply, { name: 'handOff', data: { 'return-to': returnTo, mode } });
    } catch (error) {
      failWithPage(reply, error, { returnTo: begun?.return_to, mode: begun?.ux_mode });
    }
  });
}

/**
 * Users must prove an account that what they signed in by is to be bound to; from there they go on to where they wanted
 * to be. The id stays in a cookie of this browser: the page's address names it by a handle.
 */
function goAndBind(
  { gateway: { config }, pendingBinds }: FastifyInstance,
  reply: FastifyReply,
  { return_to, onward: returnTo = return_to, folder, ux_mode, nonce }: Transaction,
  id: string,
): void {
  const handle = pendingBinds.store(reply, { id, redirect_uri: callbackUrl(config, nonce) });
  const next = bindPath({ id: handle }, { returnTo, folder });
  if (ux_mode === 'redirect') reply.redirect(next, 303);
  else sendScriptPage(reply, { name: 'leadOut', data: { next } });
}

/** Who opens this in a browser gets a page that leads on; anybody else the error itself. */
function failWithPage(reply: FastifyReply, error: unknown, sought: Sought): void {
  const { headers, log } = reply.request;
  if (!isAppError(error) || !headers.accept?.includes('text/html')) throw error;
  log.warn({ err: error.cause ?? error, code: error.code }, 'sign-in failed');
  sendFailedPage(reply.code(error.statusCode), error.code, sought);
}

/** An error code of OAuth 2 (RFC 6749 section 4.1.2.1); whatever else was sent stays out of the log. */
function errorNameOf(reason: string | undefined): string {
  return reason !== undefined && /^[a-z_]{1,64}$/.test(reason) ? reason : 'no reason given';
}
