import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Boot, type FetchPageQuery, THEME_COOKIE, type Theme } from '../../../shared/boot.ts';
import { type DeployType, isPrivate } from '../../../shared/deploy-types.ts';
import { type CachedResponse, cachedResponse } from '../cache/cached-response.ts';
import type { GatewayConfig, Pages } from '../options.ts';
import { decodedSegments, encodedPath, queryOf } from '../proxy/path.ts';
import { pageHeaders } from '../security-headers.ts';
import { findSession, sessionViewOf } from '../session/current.ts';
import { hasLocalAccounts, loginOrigin } from '../sign-in/login-params.ts';
import { createPageQueries } from './page-queries.ts';

/** Milliseconds for which a page without a session is shared. */
const LIFETIME = 5000;

/** Places from which a browser sends Strict cookies along, so that none means nobody is signed in. */
const TELLING_SITES: ReadonlySet<unknown> = new Set(['same-origin', 'same-site', 'none']);

const HTML = 'text/html; charset=utf-8';

/** Pages tell times to the minute; so one that is rendered again within it is the same, and browsers keep what they have. */
const MINUTE = 60_000;

/** Says nothing but the status: the packs of texts live in the build that has just failed. */
const FAILED = Buffer.from('<!doctype html><meta charset="utf-8"><title>500</title><p>500</p>');

const unanswered: FetchPageQuery = async () => undefined;

/** What of a page depends on who asks for it. */
type Visitor = Pick<Boot, 'language' | 'theme' | 'client' | 'embedded' | 'session'>;

export type SendPage = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Sends pages with the first data of their route (design section 8); who is not signed in shares them. */
export function createPageSender(app: FastifyInstance, { entry, serveSources }: Pages): SendPage {
  const { config, log, now } = app.gateway;
  const pageQueries = createPageQueries(app);
  const publicConfig = publicConfigOf(app);
  const headers = {
    ...pageHeaders(config, entry.inlineHashes),
    vary: 'Cookie, Accept-Language, Accept-Encoding, Sec-Fetch-Site, User-Agent',
  };

  /** A page that cannot be rendered is a plain 500. */
  async function render(
    target: string,
    visitor: Visitor,
    fetchQuery: FetchPageQuery,
  ): Promise<CachedResponse> {
    try {
      const boot: Boot = {
        now: Math.floor(now() / MINUTE) * MINUTE,
        ...publicConfig,
        ...visitor,
        login_frame: await app.loginFrame(),
        sign_up: await app.signUpOpen(),
      };
      const { status, html } = await entry.render(target, boot, fetchQuery);
      return cachedResponse(status, HTML, Buffer.from(html));
    } catch (error) {
      log.error({ err: error }, 'page not rendered');
      return cachedResponse(500, HTML, FAILED);
    }
  }

  /** The same page for everybody who is not signed in; to have one rendered counts as a call of theirs. */
  function renderShared(request: FastifyRequest, visitor: Visitor): Promise<CachedResponse> {
    const url = request.raw.url ?? '/';
    const segments = decodedSegments(url);
    // What of an address the document depends on; paths are refused before that mean more than one thing.
    const target = entry.target(segments ? encodedPath(segments) + queryOf(url) : url);
    return app.caches.pages.get(JSON.stringify([target, visitor]), LIFETIME, {
      load: () => render(target, visitor, pageQueries(request)),
      mayLoad: () => request.consume('anonymous'),
    });
  }

  return async (request, reply) => {
    const hasFreshToken = await findSession(request, 'slide');
    const { session, sessionState, raw } = request;
    const isTelling = TELLING_SITES.has(request.headers['sec-fetch-site']);
    // Not known where no Strict cookie is sent, and of a session that lies in Redis while that is away.
    const isUnknown =
      !sessionState || (sessionState.kind === 'anonymous' && !sessionState.stale && !isTelling);
    const visitor: Visitor = {
      language: request.language,
      theme: themeOf(request.cookies[THEME_COOKIE]),
      ...clientContextOf(config, request),
      session: isUnknown ? null : await sessionViewOf(request.server, session, hasFreshToken),
    };
    const own = () =>
      // Without a fresh token the page asks by itself.
      render(raw.url ?? '/', visitor, session && !hasFreshToken ? unanswered : pageQueries(request));
    const response = await (session || serveSources ? own() : renderShared(request, visitor));
    reply.headers(headers).header('cache-control', session ? 'no-store' : 'no-cache');
    return reply.sendCached(response, 'pages');
  };
}

function themeOf(value: string | undefined): Theme {
  return value === 'light' || value === 'dark' ? value : 'system';
}

/** What every page is told of the site, the same for all. */
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
    ...(config.siteUrl !== undefined && { site_url: config.siteUrl }),
    ...(config.appUrl !== undefined && { app_url: config.appUrl }),
    ...(config.developerDocsUrl !== undefined && { developer_docs_url: config.developerDocsUrl }),
  };
}

/** Sites whose events are collected, and from when on (specification section 4; overseas law asks for consent first). */
const WHEN: Partial<Record<DeployType, 'always' | 'with-consent'>> = {
  domestic: 'always',
  overseas: 'with-consent',
};

/** What the page needs to know to collect events; null where there is no collector, or none for this kind of site. */
export function analyticsOf({
  collectorUrl,
  deployType,
  login,
}: Pick<GatewayConfig, 'collectorUrl' | 'deployType' | 'login'>): Boot['analytics'] {
  const when = WHEN[deployType];
  return collectorUrl === undefined || when === undefined ? null : { when, product: login.product };
}

/**
 * The program that shows a page: a browser, the desktop client, a workplace chat. Told by words of the user agent, or by
 * `?client=desktop` and `?embed=chat`, which the page then keeps for its tab (design section 5).
 */
function clientContextOf(
  config: Pick<GatewayConfig, 'embedUserAgents' | 'desktopUserAgent'>,
  request: Pick<FastifyRequest, 'headers' | 'raw'>,
): Pick<Boot, 'client' | 'embedded'> {
  const agent = (request.headers['user-agent'] ?? '').toLowerCase();
  const query = new URLSearchParams(queryOf(request.raw.url ?? '/'));
  const names = (word: string): boolean => agent.includes(word.toLowerCase());
  const { desktopUserAgent: own } = config;
  const isDesktop = query.get('client') === 'desktop' || (own !== undefined && names(own));
  return {
    client: isDesktop ? 'desktop' : 'browser',
    embedded: query.get('embed') === 'chat' || config.embedUserAgents.some(names),
  };
}
