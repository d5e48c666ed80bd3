import type { FastifyReply, FastifyRequest } from 'fastify';
import type { authRoutes } from '../../../shared/routes/auth.ts';
import { appError, isAppError } from '../../http/errors.ts';
import type { Handler } from '../../http/implement.ts';
import { exchangeCode } from './exchange-code.ts';
import { frameReturnPage, isFrameFromElsewhere } from './frame-return-page.ts';
import { createHandOffPage, openerPolicy } from './hand-off-page.ts';
import type { AuthParts } from './parts.ts';
import { returnPath } from './return-to.ts';
import { setCookies } from './set-cookies.ts';
import { signInFailedPage } from './sign-in-failed-page.ts';
import { endElsewhere } from './sign-out.ts';

type Routes = typeof authRoutes;

const HEADERS = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };

/** Begins a sign-in: the browser gets a one-time transaction and goes to the login page; a former session ends. */
export function startLogin(parts: AuthParts): Handler<Routes['startLogin']> {
  const { config, sessions, transactions, provider } = parts;
  const headers = {
    ...HEADERS,
    'cross-origin-opener-policy': openerPolicy(config),
    // Without `sandbox`, which browsers refuse beside an opener policy.
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  };
  return async ({ query, request, reply }) => {
    const { cookie } = request.headers;
    reply.headers(headers);
    try {
      const { transaction, cookie: begun } = transactions.begin(
        {
          return_to: returnPath(query.return_to, config.publicUrl),
          ux_mode: query.ux_mode ?? config.login.uxMode,
          secrets: provider.secrets(),
        },
        cookie,
      );
      const address = await provider.loginUrl(transaction, query.page);
      const former = await sessions.open(cookie);
      if (former.kind === 'signed-in') void endElsewhere(parts, await sessions.end(former.session));
      setCookies(reply, [...sessions.clear(cookie), begun]);
      reply.redirect(address, 302);
    } catch (error) {
      failWithPage(parts, request, reply, error);
    }
  };
}

/**
 * Where the login page returns to. Without a transaction of this browser nothing is exchanged (requirement 7); with one
 * the code becomes a session, and the person goes on to where he wanted to be.
 */
export function finishLogin(parts: AuthParts): Handler<Routes['finishLogin']> {
  const handOff = createHandOffPage(parts.config);
  const fromHere = frameReturnPage(parts.config);
  return async ({ query, request, reply }) => {
    const { code, app, error: reason } = query;
    reply.headers(HEADERS);
    if (query.again === undefined && isFrameFromElsewhere(request)) {
      reply.headers(fromHere.headers).send(fromHere.html);
      return;
    }
    try {
      const begun = await parts.transactions.finish(query.nonce ?? query.state, request.headers.cookie);
      if (!begun) throw appError('LOGIN_TRANSACTION_INVALID');
      const { transaction, cookies } = begun;
      setCookies(reply, cookies);
      if (!code) throw appError('CODE_INVALID', { cause: new Error(`no code: ${wordOf(reason)}`) });
      setCookies(reply, await exchangeCode(parts, request, { code, app, transaction }));
      if (transaction.ux_mode === 'redirect') reply.redirect(transaction.return_to, 303);
      else reply.headers(handOff.headers).send(handOff.html(transaction.return_to));
    } catch (error) {
      failWithPage(parts, request, reply, error);
    }
  };
}

/** A person in a browser gets a page that leads on; anybody else the error itself. */
function failWithPage(
  { config, log }: AuthParts,
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
): void {
  if (!isAppError(error) || !request.headers.accept?.includes('text/html')) throw error;
  log.warn({ err: error.cause ?? error, code: error.code, reqId: request.id }, 'sign-in failed');
  const page = signInFailedPage(error.code, config);
  reply.code(error.statusCode).headers(page.headers).send(page.html);
}

/** An error word of OAuth 2 (RFC 6749 section 4.1.2.1); whatever else was sent stays out of the log. */
function wordOf(reason: string | undefined): string {
  return reason !== undefined && /^[a-z_]{1,64}$/.test(reason) ? reason : 'no reason given';
}
