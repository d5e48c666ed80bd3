import type { FastifyInstance, FastifyReply } from 'fastify';
import { Compile } from 'typebox/compile';
import { BASE_PATH, BIND_PATH } from '../../../shared/constants.ts';
import { onwardAddress } from '../../../shared/onward-address.ts';
import { userServiceRoutes } from '../../../shared/routes/auth.ts';
import { ownBindRoutes } from '../../../shared/routes/linked-sign-in.ts';
import { appError, isAppError } from '../../http/errors.ts';
import { everybody, implement, WRITTEN } from '../../http/implement.ts';
import type { GatewayConfig } from '../options.ts';
import { authenticated, sessionViewOf } from '../session/current.ts';
import { traceHeaders } from '../upstream.ts';
import { beginSession, signInHeaders } from './begin-session.ts';
import { callbackUrl, fittingMainUrl, hasLocalAccounts, loginOrigin } from './login-params.ts';
import { withoutTokens } from './provider.ts';
import { callAsUser, redeemed, type UserServiceAnswer } from './user-service.ts';

const readable = Compile(ownBindRoutes.readBind.data);

/** Signing in by a third party, and binding an account of one to the user's own (specification section 7). */
export async function thirdPartyRoutes(app: FastifyInstance): Promise<void> {
  const { gateway, pendingBinds, transactions, userService } = app;
  if (!userService) return;
  const { config } = gateway;
  const isOurs = hasLocalAccounts(config);

  /** Calls the user service in the name of who is signed in, telling it who asks. */
  const call = (
    { request }: FastifyReply,
    name: 'bind' | 'readBind' | 'beginBind',
    body: Record<string, unknown>,
  ): Promise<UserServiceAnswer> => {
    const headers = { ...traceHeaders(request), 'x-forwarded-for': request.ip };
    return callAsUser(request, name, { body, headers });
  };

  /** Tokens in the answer become a session and stay here, and so does the id of what must be bound first. */
  implement(
    app,
    everybody,
    userServiceRoutes.signInByThirdParty,
    async ({ params, body, request, reply }) => {
      const response = userService.call('thirdPartyAuth', {
        params,
        body,
        headers: signInHeaders(app, request),
      });
      return relay(reply, response, async (answer, secrets) => {
        const found = redeemed(answer, gateway.now());
        if (found) {
          const { session } = found;
          await beginSession(app, reply, found);
          const own = [...secrets, session.access_token, session.refresh_token];
          return { session: await sessionViewOf(app, session), answer: withoutTokens(answer.data, own) };
        }
        const { need_bind, id } = answer.data;
        const isPending = need_bind === true && typeof id === 'string' && isOurs;
        const known = withoutTokens(answer.data, secrets);
        return {
          session: null,
          answer: isPending ? { ...known, id: pendingBinds.store(reply, { id }) } : known,
        };
      });
    },
  );

  /**
   * An id that a sign-in has led to our callback works in the browser of that sign-in alone; our own service hands out no
   * others. Another user service opens the bind page by a link of its own, and whose that is only it can tell.
   */
  implement(app, authenticated, userServiceRoutes.bindThirdParty, async ({ body, reply }) => {
    const { id: handle } = body;
    if (body.mainUrl !== undefined) mustBeOurs(body.mainUrl, config);
    const response = call(reply, 'bind', { ...body, ...pendingBindOf(reply, handle) });
    return relay(reply, response, ({ data }, secrets) => {
      if (pendingBinds.find(handle, reply.request.cookies)) pendingBinds.forget(reply, handle);
      return withoutTokens(data, secrets);
    });
  });

  /** What would be bound: our own service says so, of another one only the id is known. */
  implement(app, authenticated, ownBindRoutes.readBind, async ({ body, reply }) => {
    if (!isOurs) {
      const { id: name = body.id } = pendingBindOf(reply, body.id);
      return { label: null, method: null, name, email: '', avatar_url: '', proof: 'none' as const };
    }
    return relay(reply, call(reply, 'readBind', pendingBindOf(reply, body.id)), ({ data }) => {
      if (!readable.Check(data)) throw appError('UPSTREAM_INVALID', { cause: new Error('no readable bind') });
      return { ...data, avatar_url: shownPicture(data.avatar_url, config) };
    });
  });

  if (!isOurs) return;
  /**
   * Begins to bind an account of a document service that is yet to be proved. It leads back to the callback with a
   * transaction of this browser, so that nobody else's way there ends in a bind here.
   */
  implement(app, authenticated, ownBindRoutes.beginBind, async ({ body, reply }) => {
    const { mainUrl = BASE_PATH, txDocFolderId: folder, ...names } = body;
    const transaction = transactions.create({
      return_to: `${BIND_PATH}?${new URLSearchParams(names)}`,
      onward: fittingMainUrl(mustBeOurs(mainUrl, config)),
      ux_mode: 'redirect',
      ...(folder !== undefined && { folder }),
      secrets: {},
    });
    const redirect_uri = callbackUrl(config, transaction.nonce);
    return relay(reply, call(reply, 'beginBind', { ...body, redirect_uri }), ({ data: { go_to } }) => {
      if (typeof go_to !== 'string')
        throw appError('UPSTREAM_INVALID', { cause: new Error('nowhere to go') });
      transactions.store(reply, transaction);
      return { go_to };
    });
  });

  /** What a call says of a bind that waits for this browser. @throws AppError BIND_REFUSED */
  function pendingBindOf(
    { request }: FastifyReply,
    handle: unknown,
  ): { id?: string; redirect_uri?: string | undefined } {
    const found = pendingBinds.find(handle, request.cookies);
    if (!found && isOurs) throw appError('BIND_REFUSED');
    return found ? { id: found.id, ...(isOurs && { redirect_uri: found.redirect_uri }) } : {};
  }
}

/**
 * What `use` makes of the user service's answer. A refusal goes back with its own body and status, and a call without an
 * answer as an empty object, as callers of these calls expect it (specification section 8).
 * @throws AppError UPSTREAM_INVALID for what is no refusal: a service that fails may say anything of what is behind it
 */
async function relay<T>(
  reply: FastifyReply,
  response: Promise<UserServiceAnswer>,
  use: (answer: UserServiceAnswer, secrets: readonly string[]) => T | Promise<T>,
): Promise<T | typeof WRITTEN> {
  const { request } = reply;
  const answer = await response.catch((error: unknown) => {
    if (!isAppError(error) || !error.code.startsWith('UPSTREAM_')) throw error;
    const { cause = error, code, statusCode } = error;
    request.log.warn({ err: cause, code }, 'third-party authentication request failed');
    reply.code(statusCode).send({});
  });
  if (!answer) return WRITTEN;
  const secrets = await request.sessionTokens();
  const { ok, status, body, retryAfter } = answer;
  if (ok) return use(answer, secrets);
  if (status < 400 || status >= 500) {
    throw appError('UPSTREAM_INVALID', { cause: new Error(`third party answered ${status}`) });
  }
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
  reply.code(status).send(withoutTokens(body, secrets));
  return WRITTEN;
}

/** Where users go on to is an address of the site. @throws AppError VALIDATION_FAILED */
function mustBeOurs(mainUrl: unknown, config: GatewayConfig): string {
  const site = {
    public_url: config.publicUrl,
    ...(config.siteUrl !== undefined && { site_url: config.siteUrl }),
    login_origin: loginOrigin(config),
  };
  if (typeof mainUrl === 'string' && onwardAddress(mainUrl, site) !== undefined) return mainUrl;
  const message = 'must be an address of this site';
  throw appError('VALIDATION_FAILED', { details: [{ pointer: '/mainUrl', message }] });
}

/** Pages show pictures of these origins alone; any other would only tell its host who looks. */
function shownPicture(address: string, { pictureOrigins }: GatewayConfig): string {
  return URL.canParse(address) && pictureOrigins.includes(new URL(address).origin) ? address : '';
}
