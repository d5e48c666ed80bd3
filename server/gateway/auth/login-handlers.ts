import type { authRoutes } from '../../../shared/routes/auth.ts';
import { appError, isAppError } from '../../http/errors.ts';
import type { Handler } from '../../http/implement.ts';
import { exchangeCode } from './exchange-code.ts';
import { createHandOffPage } from './hand-off-page.ts';
import { loginUrl } from './login-url.ts';
import type { AuthParts } from './parts.ts';
import { returnPath } from './return-to.ts';
import { signInFailedPage } from './sign-in-failed-page.ts';
import { endAtUserService } from './sign-out.ts';

type Routes = typeof authRoutes;

/** Begins a sign-in: the browser gets a one-time transaction and goes to the login page; a former session ends. */
export function startLogin(parts: AuthParts): Handler<Routes['startLogin']> {
  const { config, sessions, transactions } = parts;
  return async ({ query, request, reply }) => {
    const { cookie } = request.headers;
    const former = await sessions.open(cookie);
    if (former.kind === 'signed-in') void endAtUserService(parts, await sessions.end(former.session));
    const begun = transactions.begin(
      {
        return_to: returnPath(query.return_to, config.publicUrl),
        ux_mode: query.ux_mode ?? config.login.uxMode,
      },
      cookie,
    );
    reply
      .headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
      .header('set-cookie', [...sessions.clear(cookie), begun.cookie])
      .redirect(loginUrl(config, begun.transaction, query.page), 302);
  };
}

/**
 * Where the login page returns to. Without a transaction of this browser nothing is exchanged (requirement 7); with one
 * the code becomes a session, and the person goes on to where he wanted to be.
 */
export function finishLogin(parts: AuthParts): Handler<Routes['finishLogin']> {
  const handOff = createHandOffPage(parts.config);
  return async ({ query, request, reply }) => {
    reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    try {
      const begun = await parts.transactions.finish(query.nonce, request.headers.cookie);
      if (!begun) throw appError('LOGIN_TRANSACTION_INVALID');
      const { transaction, cookies } = begun;
      reply.header('set-cookie', cookies);
      if (!query.code) throw appError('CODE_INVALID');
      reply.header('set-cookie', await exchangeCode(parts, request, query.code));
      if (transaction.ux_mode === 'redirect') reply.redirect(transaction.return_to, 303);
      else reply.headers(handOff.headers).send(handOff.html(transaction.return_to));
    } catch (error) {
      if (!isAppError(error) || !request.headers.accept?.includes('text/html')) throw error;
      parts.log.warn({ err: error.cause ?? error, code: error.code, reqId: request.id }, 'sign-in failed');
      const page = signInFailedPage(error.code);
      reply.code(error.statusCode).headers(page.headers).send(page.html);
    }
  };
}
