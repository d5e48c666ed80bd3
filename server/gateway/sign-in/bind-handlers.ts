import type { FastifyReply, FastifyRequest } from 'fastify';
import { Compile } from 'typebox/compile';
import { BASE_PATH, BIND_PATH } from '../../../shared/constants.ts';
import { onwardAddress } from '../../../shared/onward-address.ts';
import type { userServiceRoutes } from '../../../shared/routes/auth.ts';
import { ownBindRoutes } from '../../../shared/routes/own-bind.ts';
import { type Cookies, setCookies } from '../../http/cookies.ts';
import { appError } from '../../http/errors.ts';
import type { Handler } from '../../http/implement.ts';
import type { GatewayConfig } from '../options.ts';
import { traceHeaders } from '../upstream/upstream.ts';
import { keepsAccounts } from './accounts-kept.ts';
import { asPerson } from './as-person.ts';
import type { PendingBind } from './bind-cookie.ts';
import { fitting } from './bind-path.ts';
import { loginOrigin } from './login-origin.ts';
import { callbackUrl } from './login-url.ts';
import type { AuthParts } from './parts.ts';
import { passFailure, passRefusal } from './refused-body.ts';
import { asked } from './third-party-handlers.ts';
import type { UserService, UserServiceInput } from './user-service.ts';
import { withoutTokens } from './without-tokens.ts';

type Routes = typeof userServiceRoutes & typeof ownBindRoutes;
type Asking = { request: FastifyRequest; reply: FastifyReply };

const readable = Compile(ownBindRoutes.readBind.data);

/**
 * Binds an account of a third party to the person's own (specification section 7). An id that a sign-in has led to our
 * callback works in the browser of that sign-in alone; our own service hands out no others. Another user service opens
 * the bind page by a link of its own, and whose that is only it can tell.
 */
export function bindThirdParty(
  parts: AuthParts,
  userService: UserService,
): Handler<Routes['bindThirdParty']> {
  return async ({ body, request, reply }) => {
    const { cookies } = request;
    if (body.mainUrl !== undefined) mustBeOurs(body.mainUrl, parts.config);
    const { answer, secrets } = await askAsPerson(parts, { request, reply }, (input) => {
      return userService.call('bind', { ...input, body: { ...body, ...earned(parts, body.id, cookies) } });
    });
    if ('failure' in answer) return passFailure(reply, answer.failure);
    if (!answer.ok) return passRefusal(reply, answer, secrets);
    if (typeof body.id === 'string' && parts.binds.find(body.id, cookies)) {
      setCookies(reply, [parts.binds.forget(body.id, cookies)]);
    }
    return withoutTokens(answer.data, secrets);
  };
}

/** What would be bound: our own service says so, of another one only the id is known. */
export function readBind(parts: AuthParts, userService: UserService): Handler<Routes['readBind']> {
  const { config } = parts;
  return async ({ body, request, reply }) => {
    const { cookies } = request;
    if (!keepsAccounts(config)) {
      await asPerson(parts, request, reply, async () => undefined);
      const name = parts.binds.find(body.id, cookies)?.id ?? body.id;
      return { label: null, method: null, name, email: '', avatar_url: '', proof: 'none' };
    }
    const { answer, secrets } = await askAsPerson(parts, { request, reply }, (input) => {
      return userService.call('readBind', { ...input, body: earned(parts, body.id, cookies) });
    });
    if ('failure' in answer) return passFailure(reply, answer.failure);
    if (!answer.ok) return passRefusal(reply, answer, secrets);
    const { data } = answer;
    if (!readable.Check(data)) throw appError('UPSTREAM_INVALID', { cause: new Error('no readable bind') });
    return { ...data, avatar_url: shownPicture(data.avatar_url, config) };
  };
}

/**
 * Begins to bind an account of a document service that the person has yet to prove. It leads back to the callback with a
 * transaction of this browser, so that nobody else's way there ends in a bind here.
 */
export function beginBind(parts: AuthParts, userService: UserService): Handler<Routes['beginBind']> {
  const { config, transactions } = parts;
  return async ({ body, request, reply }) => {
    const { mainUrl = BASE_PATH, txDocFolderId: folder, ...names } = body;
    const { transaction, cookie } = transactions.begin(
      {
        return_to: `${BIND_PATH}?${new URLSearchParams(names)}`,
        onward: fitting(mustBeOurs(mainUrl, config)),
        ux_mode: 'redirect',
        ...(folder !== undefined && { folder }),
        secrets: {},
      },
      request.cookies,
    );
    const redirect_uri = callbackUrl(config, transaction.nonce);
    const { answer, secrets } = await askAsPerson(parts, { request, reply }, (input) =>
      userService.call('beginBind', { ...input, body: { ...body, redirect_uri } }),
    );
    if ('failure' in answer) return passFailure(reply, answer.failure);
    if (!answer.ok) return passRefusal(reply, answer, secrets);
    const { go_to } = answer.data;
    if (typeof go_to !== 'string') throw appError('UPSTREAM_INVALID', { cause: new Error('nowhere to go') });
    setCookies(reply, [cookie]);
    return { go_to };
  };
}

/** Calls the user service in the name of who is signed in, telling it who asks. */
async function askAsPerson(
  parts: AuthParts,
  { request, reply }: Asking,
  call: (input: UserServiceInput) => ReturnType<UserService['call']>,
) {
  const { visit, answer } = await asPerson(parts, request, reply, async ({ access_token }) => {
    const headers = { ...traceHeaders(request), 'x-forwarded-for': request.ip };
    const found = await asked(call({ bearer: access_token, headers }));
    if ('status' in found && found.status === 401) throw appError('TOKEN_INVALID');
    return found;
  });
  setCookies(reply, parts.sessions.cookies(visit, request.cookies, { slide: true }));
  return { answer, secrets: [visit.session.access_token, visit.session.refresh_token] };
}

/**
 * What the user service is told of a bind that this browser has earned; nothing where only another service can know.
 * @throws BIND_REFUSED
 */
function earned(
  { binds, config }: AuthParts,
  handle: unknown,
  cookies: Cookies,
): Partial<Pick<PendingBind, 'id' | 'redirect_uri'>> {
  const found = typeof handle === 'string' ? binds.find(handle, cookies) : undefined;
  if (!keepsAccounts(config)) return found ? { id: found.id } : {};
  if (!found) throw appError('BIND_REFUSED');
  const { id, redirect_uri } = found;
  return { id, ...(redirect_uri !== undefined && { redirect_uri }) };
}

/** Where the person goes on to is an address of the site. @throws VALIDATION_FAILED */
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
