import { fastifyCompress } from '@fastify/compress';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import {
  BASE_PATH,
  FORCE_PARAMETER,
  HELP_PATH,
  LOGIN_PATH,
  PUBLISHER_PATH,
} from '../../../shared/constants.ts';
import { LANGUAGE_COOKIE_VALUES, LANGUAGE_PARAMETER } from '../../../shared/languages.ts';
import { appError, isAppError } from '../../http/errors.ts';
import { navigationViolation } from '../csrf.ts';
import { COMPRESSION } from '../proxy/headers.ts';
import { pathOf, queryOf } from '../proxy/path.ts';
import { exchangeCode } from '../sign-in/begin-session.ts';
import { isSignedIn, onwardPath } from '../sign-in/login.ts';
import { startPath } from '../sign-in/login-params.ts';
import { apiDocs } from './api-docs.ts';
import { brand } from './brand.ts';
import { publicFiles } from './client-build.ts';
import { crawlerFiles } from './crawlers.ts';
import { documents } from './documents.ts';
import { feeds } from './feeds/plugin.ts';
import { publisherHandler } from './publisher-page.ts';
import { createPageSender, type SendPage } from './render.ts';

/** `sendCached` compresses pages, but not those of a user that show text of their address. */
const PAGE = { compress: false } as const;

/** Pages, and other documents that users and crawlers open by URL. */
export const pages = fp(
  async (app: FastifyInstance) => {
    const { config, hasOwnHelp, pages: build } = app.gateway;
    // For responses without user data; not for pages.
    await app.register(fastifyCompress, COMPRESSION);
    await app.register(brand);
    await app.register(documents);
    if (config.apiDocs) await app.register(apiDocs);
    if (!build) return;
    await app.register(crawlerFiles);
    await app.register(feeds);
    if (!build.fromSources) await app.register(publicFiles, build);
    const handler = createHandler(app, createPageSender(app, build));
    for (const url of [`${BASE_PATH}*`, `${LOGIN_PATH}/*`]) app.get(url, PAGE, handler);
    app.get(`${PUBLISHER_PATH}:handle`, PAGE, publisherHandler(app, handler));
    app.get(LOGIN_PATH, PAGE, loginHandler(app, handler));
    if (hasOwnHelp) registerHelpPages(app, handler);

    const home = (_request: FastifyRequest, reply: FastifyReply) => reply.redirect(BASE_PATH, 302);
    app.get('/', home);
    app.get(BASE_PATH.slice(0, -1), home);
    app.get('/*', PAGE, (request, reply) => {
      if (!wantsPage(request)) throw appError('NOT_FOUND');
      return handler(request, reply);
    });
  },
  {
    name: 'pages',
    dependencies: ['cache', 'csrf', 'requests', 'rate-limit', 'sign-in', 'upstreams'],
    encapsulate: true,
  },
);

/**
 * The sign-in page sends on who is signed in. Without an address to return to, such as a bookmark, it starts a sign-in that
 * goes to the home page.
 */
function loginHandler(app: FastifyInstance, sendPage: SendPage): SendPage {
  return async (request, reply) => {
    const query = new URLSearchParams(queryOf(request.url));
    const isAsked = [FORCE_PARAMETER, 'code'].some((name) => query.get(name));
    const onward = isAsked ? undefined : onwardPath(app, request.cookies, query);
    if (onward !== undefined && (await isSignedIn(request)))
      return reply.header('cache-control', 'no-store').redirect(onward, 302);
    if (isAsked || query.get('redirect_uri')) return sendPage(request, reply);
    const page = query.get('page') === 'sign_up' ? { page: 'sign_up' } : {};
    return reply
      .header('cache-control', 'no-store')
      .redirect(startPath({ return_to: BASE_PATH, ux_mode: 'redirect', ...page }), 302);
  };
}

/**
 * Sends a page. Sign-in parameters in its URL are handled first and removed by a redirect: an
 * unsolicited code (R 8.7), unless `oauth2=1` marks `code` as another parameter, and the force flag, which
 * starts a new sign-in and ignores the code.
 */
function createHandler(app: FastifyInstance, sendPage: SendPage): SendPage {
  const { allowUnsolicitedCode } = app.gateway.config.login;
  return async (request, reply) => {
    const target = request.raw.url ?? '/';
    const query = new URLSearchParams(queryOf(target));
    const force = query.get(FORCE_PARAMETER) === '1';
    const code = query.get('oauth2') === '1' ? null : query.get('code');
    if (code === null && !force) return sendPage(request, reply);
    const rest = withoutParameters(queryOf(target), [
      ...(code === null ? [] : ['code']),
      ...(force ? [FORCE_PARAMETER] : []),
    ]);
    const stripped = pathOf(target) + rest;
    const isWindow = !navigationViolation(request);
    if (code !== null && !force && isWindow && allowUnsolicitedCode) {
      await request.consume('code-exchange');
      await exchangeUnsolicitedCode(app, reply, code);
    }
    // The current session stays valid until the new one starts, so that a link cannot sign users out.
    const startsSignIn = force && isWindow && pathOf(stripped) !== LOGIN_PATH;
    return reply
      .headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
      .redirect(
        startsSignIn ? startPath({ return_to: stripped, ux_mode: 'redirect', force: '1' }) : stripped,
        303,
      );
  };
}

/** Removes parameters from a query without re-encoding the others. */
function withoutParameters(query: string, names: readonly string[]): string {
  const pairs = query.slice(1).split('&');
  const rest = pairs.filter((pair) => !names.some((name) => new URLSearchParams(pair).has(name))).join('&');
  return rest && `?${rest}`;
}

/** An invalid unsolicited code is only logged; the page is shown anyway. */
async function exchangeUnsolicitedCode(
  app: FastifyInstance,
  reply: FastifyReply,
  code: string,
): Promise<void> {
  try {
    await exchangeCode(app, reply, { code, app: undefined, transaction: undefined });
  } catch (error) {
    if (!isAppError(error)) throw error;
    reply.request.log.warn({ code: error.code }, 'unsolicited authorization code rejected');
  }
}

/** Help-center pages; URLs with a language segment redirect to `?lang=` (R 11.3). */
function registerHelpPages(app: FastifyInstance, handler: SendPage): void {
  for (const url of [HELP_PATH.slice(0, -1), `${HELP_PATH}*`]) app.get(url, PAGE, handler);
  for (const value of Object.values(LANGUAGE_COOKIE_VALUES)) {
    const base = `${HELP_PATH}${value}`;
    const redirect = ({ raw: { url = '' } }: FastifyRequest, reply: FastifyReply): FastifyReply => {
      const query = new URLSearchParams(queryOf(url));
      query.set(LANGUAGE_PARAMETER, value);
      return reply.redirect(
        `${HELP_PATH}${pathOf(url).slice(base.length).replace(/^\/+/, '')}?${query}`,
        302,
      );
    };
    for (const url of [base, `${base}/*`]) app.get(url, redirect);
  }
}

/** Whether an unknown path gets the not-found page: a browser navigation, not a call or a file. */
function wantsPage({ headers, raw }: FastifyRequest): boolean {
  const path = pathOf(raw.url ?? '/');
  const isPage = !/^\/api(?:\/|$)/.test(path) && !/\.\w+$/.test(path);
  return isPage && (headers.accept ?? '').includes('text/html');
}
