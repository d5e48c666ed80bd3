import type { FastifyInstance, FastifyReply } from 'fastify';
import { Compile } from 'typebox/compile';
import { BASE_PATH, BIND_PATH } from '../../../shared/constants.ts';
import { onwardAddress } from '../../../shared/onward-address.ts';
import { userServiceRoutes } from '../../../shared/routes/auth.ts';
import { ownBindRoutes } from '../../../shared/routes/linked-sign-in.ts';
import { appError, isAppError } from '../../http/errors.ts';
import { implement, WRITTEN } from '../../http/implement.ts';
import type { GatewayConfig } from '../options.ts';
import { sessionViewOf } from '../session/view.ts';
import { traceHeaders } from '../upstream.ts';
import { beginSession, signInHeaders } from './begin-session.ts';
import { callbackUrl, hasLocalAccounts, loginOrigin, storableMainUrl } from './login-params.ts';
import { withoutTokens } from './provider.ts';
import { callAsUser, signedInFrom, type UserServiceAnswer } from './user-service.ts';

const readable = Compile(ownBindRoutes.readBind.data);

/** Third-party sign-in, and binding third-party accounts (R 14.44, R 14.45). */
export async function thirdPartyRoutes(app: FastifyInstance): Promise<void> {
  const { gateway, pendingBinds, transactions, userService } = app;
  if (!userService) return;
  const { config } = gateway;
  const isLocal = hasLocalAccounts(config);

  const call = (
    { request }: FastifyReply,
    name: 'bind' | 'readBind' | 'beginBind',
    body: Record<string, unknown>,
  ): Promise<UserServiceAnswer> => {
    const headers = { ...traceHeaders(request), 'x-forwarded-for': request.clientAddress };
    return callAsUser(request, name, { body, headers });
  };

  /** Tokens in the response become a session; they and the id of a pending binding stay in the gateway. */
  implement(app, userServiceRoutes.signInByThirdParty, async ({ params, body, request, reply }) => {
    if (request.isInTool) throw appError('NOT_IN_TOOL');
    const response = userService.call('thirdPartyAuth', {
      params,
      body,
      headers: signInHeaders(app, request),
    });
    return relay(reply, response, async (answer, secrets) => {
      const signedIn = signedInFrom(answer, gateway.now());
      if (signedIn) {
        const { session } = signedIn;
        await beginSession(app, reply, signedIn);
        const own = [...secrets, session.access_token, session.refresh_token];
        return { session: await sessionViewOf(app, session), answer: withoutTokens(answer.data, own) };
      }
      const { need_bind, id } = answer.data;
      const isPending = need_bind === true && typeof id === 'string' && isLocal;
      const known = withoutTokens(answer.data, secrets);
      return {
        session: null,
        answer: isPending ? { ...known, id: pendingBinds.store(reply, { id }) } : known,
      };
    });
  });

  /**
   * A binding of our own service is valid only in the browser of its sign-in. External user services open the bind page
   * with their own link and must check themselves whose it is.
   */
  implement(app, userServiceRoutes.bindThirdParty, async ({ body, reply }) => {
    const { id: handle } = body;
    if (body.mainUrl !== undefined) validateMainUrl(body.mainUrl, config);
    const response = call(reply, 'bind', { ...body, ...pendingBindOf(reply, handle) });
    return relay(reply, response, ({ data }, secrets) => {
      if (pendingBinds.find(handle, reply.request.cookies)) pendingBinds.remove(reply, handle);
      return withoutTokens(data, secrets);
    });
  });

  /** The pending binding; for an external service only its id is known. */
  implement(app, ownBindRoutes.readBind, async ({ body, reply }) => {
    if (!isLocal) {
      const { id: name = body.id } = pendingBindOf(reply, body.id);
      return { label: null, method: null, name, email: '', avatar_url: '', proof: 'none' as const };
    }
    return relay(reply, call(reply, 'readBind', pendingBindOf(reply, body.id)), ({ data }) => {
      if (!readable.Check(data)) throw appError('UPSTREAM_INVALID', { cause: new Error('invalid binding') });
      return { ...data, avatar_url: allowedPicture(data.avatar_url, config) };
    });
  });

  if (!isLocal) return;
  /** Starts binding a document service's account. The transaction binds the callback to this browser. */
  implement(app, ownBindRoutes.beginBind, async ({ body, reply }) => {
    const { mainUrl = BASE_PATH, txDocFolderId: folder, ...names } = body;
    const transaction = transactions.create({
      return_to: `${BIND_PATH}?${new URLSearchParams(names)}`,
      onward: storableMainUrl(validateMainUrl(mainUrl, config)),
      ux_mode: 'redirect',
      ...(folder !== undefined && { folder }),
      secrets: {},
    });
    const redirect_uri = callbackUrl(config, transaction.nonce);
    return relay(reply, call(reply, 'beginBind', { ...body, redirect_uri }), ({ data: { go_to } }) => {
      if (typeof go_to !== 'string')
        throw appError('UPSTREAM_INVALID', { cause: new Error('response without go_to') });
      transactions.store(reply, transaction);
      return { go_to };
    });
  });

  /** The fields of a pending binding for a call to the user service. @throws AppError BIND_REFUSED */
  function pendingBindOf(
    { request }: FastifyReply,
    handle: unknown,
  ): { id?: string; redirect_uri?: string | undefined } {
    const found = pendingBinds.find(handle, request.cookies);
    if (!found && isLocal) throw appError('BIND_REFUSED');
    return found ? { id: found.id, ...(isLocal && { redirect_uri: found.redirect_uri }) } : {};
  }
}

/**
 * Handles a successful response with `use`. A refusal is returned with its own body and status, and a failed call as an
 * empty object, as clients of these calls expect it (R 8.17).
 * @throws AppError UPSTREAM_INVALID for any other status, whose body may contain internal details
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
    throw appError('UPSTREAM_INVALID', { cause: new Error(`third-party response ${status}`) });
  }
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
  reply.code(status).send(withoutTokens(body, secrets));
  return WRITTEN;
}

/** @throws AppError VALIDATION_FAILED unless the URL belongs to the site */
function validateMainUrl(mainUrl: unknown, config: GatewayConfig): string {
  const site = {
    public_url: config.publicUrl,
    ...(config.siteUrl !== undefined && { site_url: config.siteUrl }),
    login_origin: loginOrigin(config),
  };
  if (typeof mainUrl === 'string' && onwardAddress(mainUrl, site) !== undefined) return mainUrl;
  const message = 'must be an address of this site';
  throw appError('VALIDATION_FAILED', { details: [{ pointer: '/mainUrl', message }] });
}

/** Pictures of other origins are dropped: the CSP of pages does not allow them. */
function allowedPicture(address: string, { pictureOrigins }: GatewayConfig): string {
  return URL.canParse(address) && pictureOrigins.includes(new URL(address).origin) ? address : '';
}
