import type { FastifyInstance, FastifyReply } from 'fastify';
import { Compile } from 'typebox/compile';
import { BASE_PATH, BIND_PATH } from '../../../shared/constants.ts';
import { onwardAddress } from '../../../shared/onward-address.ts';
import { userServiceRoutes } from '../../../shared/routes/auth.ts';
import { ownBindRoutes } from '../../../shared/routes/own-bind.ts';
import type { Cookies } from '../../http/cookies.ts';
import { appError } from '../../http/errors.ts';
import { implement } from '../../http/implement.ts';
import type { GatewayConfig } from '../options.ts';
import { authenticated, withUserToken } from '../session/current.ts';
import { traceHeaders } from '../upstream/upstream.ts';
import type { PendingBind } from './cookies.ts';
import { callbackUrl, fittingMainUrl, hasLocalAccounts, loginOrigin } from './login-params.ts';
import { asked, sendFailure, sendRefusal } from './third-party.ts';
import { withoutTokens } from './tokens.ts';
import type { UserService, UserServiceAnswer, UserServiceInput } from './user-service.ts';

const readable = Compile(ownBindRoutes.readBind.data);

/** Binding an account of a third party to the user's own (specification section 7). */
export async function bindRoutes(
  app: FastifyInstance,
  { userService }: { userService: UserService },
): Promise<void> {
  const { gateway, pendingBinds, transactions } = app;
  const { config } = gateway;
  const isOurs = hasLocalAccounts(config);

  /**
   * An id that a sign-in has led to our callback works in the browser of that sign-in alone; our own service hands out no
   * others. Another user service opens the bind page by a link of its own, and whose that is only it can tell.
   */
  implement(app, authenticated, userServiceRoutes.bindThirdParty, async ({ body, request, reply }) => {
    const { cookies } = request;
    if (body.mainUrl !== undefined) mustBeOurs(body.mainUrl, config);
    const { answer, secrets } = await callAsUser(reply, (input) =>
      userService.call('bind', { ...input, body: { ...body, ...earned(app, body.id, cookies) } }),
    );
    if ('failure' in answer) return sendFailure(reply, answer.failure);
    if (!answer.ok) return sendRefusal(reply, answer, secrets);
    if (typeof body.id === 'string' && pendingBinds.find(body.id, cookies))
      pendingBinds.forget(reply, body.id);
    return withoutTokens(answer.data, secrets);
  });

  /** What would be bound: our own service says so, of another one only the id is known. */
  implement(app, authenticated, ownBindRoutes.readBind, async ({ body, request, reply }) => {
    const { cookies } = request;
    if (!isOurs) {
      const name = pendingBinds.find(body.id, cookies)?.id ?? body.id;
      return { label: null, method: null, name, email: '', avatar_url: '', proof: 'none' as const };
    }
    const { answer, secrets } = await callAsUser(reply, (input) =>
      userService.call('readBind', { ...input, body: earned(app, body.id, cookies) }),
    );
    if ('failure' in answer) return sendFailure(reply, answer.failure);
    if (!answer.ok) return sendRefusal(reply, answer, secrets);
    const { data } = answer;
    if (!readable.Check(data)) throw appError('UPSTREAM_INVALID', { cause: new Error('no readable bind') });
    return { ...data, avatar_url: shownPicture(data.avatar_url, config) };
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
    const { answer, secrets } = await callAsUser(reply, (input) =>
      userService.call('beginBind', { ...input, body: { ...body, redirect_uri } }),
    );
    if ('failure' in answer) return sendFailure(reply, answer.failure);
    if (!answer.ok) return sendRefusal(reply, answer, secrets);
    const { go_to } = answer.data;
    if (typeof go_to !== 'string') throw appError('UPSTREAM_INVALID', { cause: new Error('nowhere to go') });
    transactions.keep(reply, transaction);
    return { go_to };
  });
}

/** Calls the user service in the name of who is signed in, telling it who asks. */
async function callAsUser(
  { request }: FastifyReply,
  call: (input: UserServiceInput) => Promise<UserServiceAnswer>,
) {
  const answer = await withUserToken(request, async ({ access_token }) => {
    const headers = { ...traceHeaders(request), 'x-forwarded-for': request.ip };
    const found = await asked(call({ bearer: access_token, headers }));
    if ('status' in found && found.status === 401) throw appError('TOKEN_INVALID');
    return found;
  });
  return { answer, secrets: await request.sessionTokens() };
}

/**
 * What the user service is told of a bind that this browser has earned; nothing where only another service can know.
 * @throws BIND_REFUSED
 */
function earned(
  { gateway: { config }, pendingBinds }: FastifyInstance,
  handle: unknown,
  cookies: Cookies,
): Partial<Pick<PendingBind, 'id' | 'redirect_uri'>> {
  const found = typeof handle === 'string' ? pendingBinds.find(handle, cookies) : undefined;
  if (!hasLocalAccounts(config)) return found ? { id: found.id } : {};
  if (!found) throw appError('BIND_REFUSED');
  const { id, redirect_uri } = found;
  return { id, ...(redirect_uri !== undefined && { redirect_uri }) };
}

/** Where users go on to is an address of the site. @throws VALIDATION_FAILED */
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
