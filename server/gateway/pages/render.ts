import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Boot, type FetchPageQuery, THEME_COOKIE, type Theme } from '../../../shared/boot.ts';
import { type DeployType, isPrivate } from '../../../shared/deploy-types.ts';
import { type CachedResponse, cachedResponse } from '../cache/response-cache.ts';
import type { GatewayConfig, Pages } from '../options.ts';
import { decodedSegments, encodedPath, queryOf } from '../proxy/path.ts';
import { pageHeaders } from '../security-headers.ts';
import { findSession, sessionViewOf } from '../session/view.ts';
import { hasLocalAccounts, loginOrigin } from '../sign-in/login-params.ts';
import { createPageQueries } from './page-queries.ts';

/** Cache lifetime of a page without a session, in milliseconds. */
const LIFETIME = 5000;

/** Values of Sec-Fetch-Site with which browsers send Strict cookies: then a request without one has no session. */
const STRICT_COOKIE_SITES: ReadonlySet<unknown> = new Set(['same-origin', 'same-site', 'none']);

const HTML = 'text/html; charset=utf-8';

/** Pages show times to the minute; a rounded time keeps their ETag unchanged within a minute. */
const MINUTE = 60_000;

/** Without text: the language packs are in the build that has failed. */
const FAILED = Buffer.from('<!doctype html><meta charset="utf-8"><title>500</title><p>500</p>');

const UNKNOWN = { session: null, hasFreshToken: false };

const noQueries: FetchPageQuery = async () => undefined;

/** Boot data that depends on the client; part of the cache key. */
type ClientContext = Pick<Boot, 'language' | 'theme' | 'client' | 'embedded' | 'session'>;

export type SendPage = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Sends pages with the prefetched data of their route (R 10.20), cached for clients without a session. */
export function createPageSender(app: FastifyInstance, { entry, fromSources }: Pages): SendPage {
  const { config, log, now } = app.gateway;
  const pageQueries = createPageQueries(app);
  const publicConfig = publicConfigOf(app);
  const headers = {
    ...pageHeaders(config, entry.inlineHashes),
    vary: [
      'Cookie, Accept-Language, Accept-Encoding, Sec-Fetch-Site, User-Agent',
      ...(config.toolOrigins.length > 0 ? ['Sec-Fetch-Dest'] : []),
    ].join(', '),
  };

  async function render(
    target: string,
    clientContext: ClientContext,
    fetchQuery: FetchPageQuery,
  ): Promise<CachedResponse> {
    try {
      const boot: Boot = {
        now: Math.floor(now() / MINUTE) * MINUTE,
        ...publicConfig,
        ...clientContext,
        login_frame: await app.loginFrame(),
        sign_up: await app.signUpOpen(),
      };
      const { status, html } = await entry.render(target, boot, fetchQuery);
      return cachedResponse(status, HTML, Buffer.from(html));
    } catch (error) {
      log.error({ err: error }, 'page rendering failed');
      return cachedResponse(500, HTML, FAILED);
    }
  }

  /** A page without a session. Rendering one counts as an anonymous call for the rate limit. */
  function renderShared(request: FastifyRequest, clientContext: ClientContext): Promise<CachedResponse> {
    const url = request.raw.url ?? '/';
    const segments = decodedSegments(url);
    // The normalized part of the URL that the document depends on.
    const target = entry.target(segments ? encodedPath(segments) + queryOf(url) : url);
    return app.caches.pages.get(JSON.stringify([target, clientContext]), LIFETIME, {
      load: () => render(target, clientContext, pageQueries(request, null)),
      mayLoad: () => request.consume('anonymous'),
    });
  }

  return async (request, reply) => {
    const isFramed = mayBeInTool(config, request);
    const { session, hasFreshToken } = isFramed
      ? UNKNOWN
      : await findSession(request, 'slide', { starts: true });
    const { raw, sessionState: state } = request;
    const sendsStrictCookies = STRICT_COOKIE_SITES.has(request.headers['sec-fetch-site']);
    // Unknown if the browser sends no Strict cookies, or if the session is in Redis and Redis is unavailable.
    const isUnknown =
      isFramed || state?.kind === 'unchecked' || (state?.kind === 'anonymous' && !sendsStrictCookies);
    const clientContext: ClientContext = {
      language: request.language,
      theme: themeOf(request.cookies[THEME_COOKIE]),
      ...clientContextOf(config, request),
      session: isUnknown ? null : await sessionViewOf(request.server, session, hasFreshToken),
    };
    const own = async () => {
      if (session) await request.consume('page');
      // Without a fresh token the browser makes the queries itself.
      return render(
        raw.url ?? '/',
        clientContext,
        session && !hasFreshToken ? noQueries : pageQueries(request, session),
      );
    };
    const response = await (session || fromSources ? own() : renderShared(request, clientContext));
    reply.headers(headers).header('cache-control', session ? 'no-store' : 'no-cache');
    // A page shows text of its address beside data of the user: its compressed length would tell of the data (BREACH).
    const isPlain = session !== null && (response.status !== 200 || (raw.url ?? '').includes('?'));
    return reply.sendCached(response, 'pages', { isPlain });
  };
}

function themeOf(value: string | undefined): Theme {
  return value === 'light' || value === 'dark' ? value : 'system';
}

/** Boot data that is the same for all clients. */
function publicConfigOf({ gateway: { config, hasOwnHelp }, brand }: FastifyInstance) {
  return {
    languages: config.languages,
    deploy_type: config.deployType,
    public_url: config.publicUrl,
    own_help: hasOwnHelp,
    login_origin: loginOrigin(config),
    ...(config.login.uxMode === 'popup' &&
      !isPrivate(config.deployType) && { sign_in_window: true as const }),
    own_accounts: hasLocalAccounts(config),
    analytics: analyticsOf(config),
    ...(brand && { brand }),
    ...(config.editors.length > 0 && {
      editors: config.editors.map(({ id, name, openUrl }) => ({
        id,
        name,
        ...(openUrl && { open_url: openUrl }),
      })),
    }),
    ...(config.toolOrigins.length > 0 && { tool_origins: config.toolOrigins }),
    ...(config.playgroundOrigin !== undefined && { playground_origin: config.playgroundOrigin }),
    ...(config.siteUrl !== undefined && { site_url: config.siteUrl }),
    ...(config.appUrl !== undefined && { app_url: config.appUrl }),
    ...(config.developerDocsUrl !== undefined && { developer_docs_url: config.developerDocsUrl }),
  };
}

/** Deploy types with analytics (R 11.19); overseas law requires consent first. */
const ANALYTICS: Partial<Record<DeployType, 'always' | 'with-consent'>> = {
  domestic: 'always',
  overseas: 'with-consent',
};

/** Analytics settings of a page; null without a collector or for other deploy types. */
export function analyticsOf({
  collectorUrl,
  deployType,
  login,
}: Pick<GatewayConfig, 'collectorUrl' | 'deployType' | 'login'>): Boot['analytics'] {
  const when = ANALYTICS[deployType];
  return collectorUrl === undefined || when === undefined ? null : { when, product: login.product };
}

/**
 * Whether the document may be one inside a design tool, whose session only calls tell: the page asks. A frame's next document no
 * longer says that it is inside one.
 */
function mayBeInTool(
  { toolOrigins }: Pick<GatewayConfig, 'toolOrigins'>,
  { headers }: Pick<FastifyRequest, 'headers'>,
): boolean {
  return toolOrigins.length > 0 && headers['sec-fetch-dest'] === 'iframe';
}

/** Desktop client, workplace chat or design tool, by user agent, `?client=desktop` or `?embed` (R 11.13, R 11.15, R 11.23). */
function clientContextOf(
  config: Pick<GatewayConfig, 'embedUserAgents' | 'desktopUserAgent' | 'toolOrigins'>,
  request: Pick<FastifyRequest, 'headers' | 'raw'>,
): Pick<Boot, 'client' | 'embedded'> {
  const agent = (request.headers['user-agent'] ?? '').toLowerCase();
  const query = new URLSearchParams(queryOf(request.raw.url ?? '/'));
  const isNamed = (word: string): boolean => agent.includes(word.toLowerCase());
  const { desktopUserAgent: own } = config;
  const isDesktop = query.get('client') === 'desktop' || (own !== undefined && isNamed(own));
  const isTool = query.get('embed') === 'tool' && mayBeInTool(config, request);
  return {
    client: isDesktop ? 'desktop' : isTool ? 'tool' : 'browser',
    embedded: query.get('embed') === 'chat' || config.embedUserAgents.some(isNamed),
  };
}
