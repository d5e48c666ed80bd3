import type { FastifyReply, FastifyRequest } from 'fastify';
import type { authRoutes } from '../../../shared/routes/auth.ts';
import { setCookies } from '../../http/cookies.ts';
import { appError, isAppError } from '../../http/errors.ts';
import type { Handler } from '../../http/implement.ts';
import { keepsAccounts } from './accounts-kept.ts';
import { bindPath } from './bind-path.ts';
import { exchangeCode } from './exchange-code.ts';
import { createHandOffPage, openerPolicy } from './hand-off-page.ts';
import { leadOutPage } from './lead-out-page.ts';
import { callbackUrl, startPath } from './login-url.ts';
import { checkedWish } from './login-wish.ts';
import { isFromElsewhere, onceMorePage } from './once-more-page.ts';
import type { AuthParts } from './parts.ts';
import type { LoginWish } from './provider.ts';
import { returnPath } from './return-to.ts';
import { signInFailedPage } from './sign-in-failed-page.ts';
import type { Transaction, UxMode } from './transaction.ts';

type Routes = typeof authRoutes;

const HEADERS = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };

/** Begins a sign-in: the browser gets a one-time transaction and goes to the login page. A session that is there stays. */
export function startLogin(parts: AuthParts): Handler<Routes['startLogin']> {
  const { config, transactions, provider } = parts;
  const headers = {
    ...HEADERS,
    'cross-origin-opener-policy': openerPolicy(config),
    // Without `sandbox`, which browsers refuse beside an opener policy.
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  };
  return async ({ query, request, reply }) => {
    const { cookies } = request;
    const { return_to, ux_mode: mode = config.login.uxMode, txDocFolderId: folder, ...asked } = query;
    const returnTo = returnPath(return_to, config.publicUrl);
    reply.headers(headers);
    try {
      const wish = checkedWish(asked);
      const { transaction, cookie: begun } = transactions.begin(
        {
          return_to: bindsHere(parts, wish) ? bindPath(namesOf(wish), { returnTo, folder }) : returnTo,
          ux_mode: mode,
          ...(folder !== undefined && { folder }),
          secrets: provider.secrets(),
        },
        cookies,
      );
      const address = await provider.loginUrl(transaction, wish);
      setCookies(reply, [begun]);
      reply.redirect(address, 302);
    } catch (error) {
      failWithPage(parts, { request, reply }, error, { returnTo, mode });
    }
  };
}

/**
 * Where the login page returns to. Without a transaction of this browser nothing is exchanged (requirement 7); with one
 * the code becomes a session, and the person goes on to where they wanted to be. With the force flag the code is passed
 * over and the sign-in begins again (specification section 4).
 */
export function finishLogin(parts: AuthParts): Handler<Routes['finishLogin']> {
  const handOff = createHandOffPage(parts.config);
  const onceMore = onceMorePage(parts.config);
  return async ({ query, request, reply }) => {
    const { code, app, bind, error: reason, force } = query;
    let begun: Transaction | undefined;
    reply.headers(HEADERS);
    if (query.again === undefined && isFromElsewhere(request)) {
      reply.headers(onceMore.headers).send(onceMore.html);
      return;
    }
    try {
      const nonce = query.nonce ?? query.state;
      if (nonce === undefined) throw appError('AUTH_NOT_CONFIGURED');
      const { transaction, lines } = await parts.transactions.finish(nonce, request.cookies);
      setCookies(reply, lines);
      if (!transaction) throw appError('LOGIN_TRANSACTION_INVALID');
      begun = transaction;
      if (force !== undefined) {
        reply.redirect(
          startPath({ return_to: transaction.return_to, ux_mode: transaction.ux_mode, force }),
          303,
        );
        return;
      }
      if (!code && bind !== undefined) {
        goAndBind(parts, { request, reply }, transaction, bind);
        return;
      }
      if (!code || reason !== undefined)
        throw appError('CODE_INVALID', { cause: new Error(`no code: ${wordOf(reason)}`) });
      setCookies(reply, await exchangeCode(parts, request, { code, app, transaction }));
      if (transaction.ux_mode === 'redirect') reply.redirect(transaction.return_to, 303);
      else reply.headers(handOff.headers).send(handOff.html(transaction.return_to, transaction.ux_mode));
    } catch (error) {
      failWithPage(parts, { request, reply }, error, { returnTo: begun?.return_to, mode: begun?.ux_mode });
    }
  };
}

/**
 * Our own identity service binds an account to the one signed in to, so sign-in leads to the bind page; another service
 * leads there by itself.
 */
function bindsHere({ config }: AuthParts, { bind_other, login_source_id }: LoginWish): boolean {
  return bind_other !== undefined && login_source_id !== undefined && keepsAccounts(config);
}

function namesOf({ ux_from = '', login_source_id = '' }: LoginWish): Record<string, string> {
  return { ux_from, login_source_id };
}

/**
 * The person must prove an account that what they signed in by is to be bound to; from there they go on to where they
 * wanted to be. The id stays in a cookie of this browser: the page's address names it by a handle.
 */
function goAndBind(
  { binds, config }: AuthParts,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  transaction: Transaction,
  id: string,
): void {
  const { return_to, onward: returnTo = return_to, folder, ux_mode, nonce } = transaction;
  const redirect_uri = callbackUrl(config, nonce);
  const { handle, cookie } = binds.keep({ id, redirect_uri }, request.cookies);
  setCookies(reply, [cookie]);
  const next = bindPath({ id: handle }, { returnTo, folder });
  if (ux_mode === 'redirect') {
    reply.redirect(next, 303);
    return;
  }
  const page = leadOutPage(next, config);
  reply.headers(page.headers).send(page.html);
}

/** A person in a browser gets a page that leads on; anybody else the error itself. */
function failWithPage(
  { config, log }: AuthParts,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  error: unknown,
  sought: { returnTo: string | undefined; mode: UxMode | undefined },
): void {
  if (!isAppError(error) || !request.headers.accept?.includes('text/html')) throw error;
  log.warn({ err: error.cause ?? error, code: error.code, reqId: request.id }, 'sign-in failed');
  const page = signInFailedPage({ code: error.code, ...sought }, config);
  reply.code(error.statusCode).headers(page.headers).send(page.html);
}

/** An error word of OAuth 2 (RFC 6749 section 4.1.2.1); whatever else was sent stays out of the log. */
function wordOf(reason: string | undefined): string {
  return reason !== undefined && /^[a-z_]{1,64}$/.test(reason) ? reason : 'no reason given';
}
