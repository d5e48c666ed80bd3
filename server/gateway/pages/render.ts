import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Boot, type FetchPageQuery, THEME_COOKIE, type Theme } from '../../../shared/boot.ts';
import { type DeployType, isPrivate } from '../../../shared/deploy-types.ts';
import type { SessionView } from '../../../shared/entities/user.ts';
import type { Language } from '../../../shared/languages.ts';
import { type CachedResponse, cachedResponse } from '../cache/cached-response.ts';
import type { GatewayConfig, Pages } from '../options.ts';
import { decodedSegments, encodedPath, queryOf } from '../proxy/path.ts';
import { pageHeaders } from '../security-headers.ts';
import { findSession, sessionViewOf } from '../session/current.ts';
import { ANONYMOUS } from '../session/session.ts';
import { hasLocalAccounts, loginOrigin } from '../sign-in/login-params.ts';
import { forwardedHeaders } from '../upstream/upstream.ts';
import { createPageQueries } from './page-queries.ts';

/** Milliseconds for which a page without a session is shared. */
const LIFETIME = 5000;

/** Places from which a browser sends Strict cookies along, so that none means nobody is signed in. */
const TELLING_SITES: ReadonlySet<unknown> = new Set(['same-origin', 'same-site', 'none']);

const HTML = 'text/html; charset=utf-8';

/** Pages tell times to the minute; so one that is rendered again within it is the same, and browsers keep what they have. */
const MINUTE = 60_000;

/** Without a fresh token the page asks by itself. */
const unanswered: FetchPageQuery = async () => undefined;

/** Says nothing but the status: the packs of texts live in the build that has just failed. */
const FAILED = Buffer.from('<!doctype html><meta charset="utf-8"><title>500</title><p>500</p>');

type PageRequest = {
  /** Path and query. */
  target: string;
  language: Language;
  theme: Theme;
  clientContext: ClientContext;
  /** null: not known, because the browser sent no Strict cookie, or Redis is away. */
  session: SessionView | null;
  bearer: string | undefined;
  /** Tokens of the session. */
  tokens: readonly string[];
  /** False when the session has no fresh token: then the page asks for its data itself. */
  prefetches: boolean;
  headers: Record<string, string>;
};

export type SendPage = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Sends pages with the first data of their route (design section 8); who is not signed in shares them. */
export function createPageSender(app: FastifyInstance, { entry, serveSources }: Pages): SendPage {
  const { gateway } = app;
  const { config, log, now } = gateway;
  const pageQueries = createPageQueries(app);
  const publicConfig = publicConfigOf(gateway);
  const headers = {
    ...pageHeaders(config, entry.inlineHashes),
    vary: 'Cookie, Accept-Language, Accept-Encoding, Sec-Fetch-Site, User-Agent',
  };

  async function pageRequest(request: FastifyRequest, hasFreshToken: boolean): Promise<PageRequest> {
    const { language, session, sessionState } = request;
    const isTelling = TELLING_SITES.has(request.headers['sec-fetch-site']);
    // A session that lies in Redis cannot be told of while that is away.
    const isUnknown =
      !sessionState || (sessionState.kind === 'anonymous' && !sessionState.stale && !isTelling);
    return {
      target: request.raw.url ?? '/',
      language,
      theme: themeOf(request.cookies[THEME_COOKIE]),
      clientContext: clientContextOf(config, request),
      session: isUnknown ? null : await sessionViewOf(request, hasFreshToken),
      bearer: session?.access_token,
      tokens: session ? await request.sessionTokens() : [],
      prefetches: !session || hasFreshToken,
      headers: forwardedHeaders(request),
    };
  }

  /** A page that cannot be rendered is a plain 500. */
  async function render(page: PageRequest): Promise<CachedResponse> {
    try {
      const boot: Boot = {
        now: Math.floor(now() / MINUTE) * MINUTE,
        language: page.language,
        theme: page.theme,
        ...publicConfig,
        ...page.clientContext,
        login_frame: await app.loginFrame(),
        sign_up: await app.signUpOpen(),
        session: page.session,
      };
      const fetchQuery = page.prefetches ? pageQueries(page) : unanswered;
      const { status, html } = await entry.render(page.target, boot, fetchQuery);
      return cachedResponse(status, HTML, Buffer.from(html));
    } catch (error) {
      log.error({ err: error }, 'page not rendered');
      return cachedResponse(500, HTML, FAILED);
    }
  }

  /** What of an address the document depends on; paths are refused before that mean more than one thing. */
  function targetOf(target: string): string {
    const segments = decodedSegments(target);
    return entry.target(segments ? encodedPath(segments) + queryOf(target) : target);
  }

  /**
   * The same page for everybody who is not signed in and reads this language in this theme. To have one rendered counts
   * as a call of theirs.
   */
  function renderShared(request: FastifyRequest, asked: PageRequest): Promise<CachedResponse> {
    const page = { ...asked, target: targetOf(asked.target) };
    const key = JSON.stringify([
      page.language,
      page.theme,
      page.clientContext,
      page.session === null ? 'unknown' : 'anonymous',
      page.target,
    ]);
    const session = page.session === null ? null : ANONYMOUS;
    const load = () => render({ ...page, session, bearer: undefined, tokens: [] });
    return app.caches.pages.get(key, LIFETIME, { load, mayLoad: () => request.consume('anonymous') });
  }

  return async (request, reply) => {
    const hasFreshToken = await findSession(request, 'slide');
    const page = await pageRequest(request, hasFreshToken);
    const response = await (request.session || serveSources ? render(page) : renderShared(request, page));
    reply.headers(headers).header('cache-control', request.session ? 'no-store' : 'no-cache');
    return reply.sendCached(response, 'pages');
  };
}

function themeOf(value: string | undefined): Theme {
  return value === 'light' || value === 'dark' ? value : 'system';
}

/** What every page is told of the site, the same for all. */
function publicConfigOf({ config, hasOwnHelp }: FastifyInstance['gateway']) {
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

/** What of a page depends on the program that shows it: a browser, the desktop client, a workplace chat. */
type ClientContext = Pick<Boot, 'client' | 'embedded'>;

/**
 * Told by words of the user agent, or by `?client=desktop` and `?embed=chat`, which the page then keeps for its tab
 * (design section 5).
 */
function clientContextOf(
  config: Pick<GatewayConfig, 'embedUserAgents' | 'desktopUserAgent'>,
  request: Pick<FastifyRequest, 'headers' | 'raw'>,
): ClientContext {
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
