import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { alternatesOf } from '../../../shared/alternates.ts';
import { BASE_PATH, DOCS_PATH, HELP_PATH } from '../../../shared/constants.ts';
import { type DeployType, isPrivate } from '../../../shared/deploy-types.ts';
import { escapeMarkup } from '../../../shared/escape-markup.ts';
import type { Language } from '../../../shared/languages.ts';
import { helpRoutes } from '../../../shared/routes/help.ts';
import { sitemapRoutes } from '../../../shared/routes/sitemap.ts';
import { appError, isAppError } from '../../http/errors.ts';
import { type CachedResponse, cachedResponse } from '../cache/cached-response.ts';
import { askRead, isObject, jsonObject } from '../upstream/ask.ts';
import type { Upstream } from '../upstream/upstream.ts';

/** Milliseconds for which a sitemap is cached. */
const LIFETIME = 10 * 60 * 1000;
const XML = 'application/xml; charset=utf-8';
const PAGES = 'pages';
/** A sitemap without a page, which is no sitemap. */
const EMPTY = '';
const OWN_PAGES: ListedPage[] = [BASE_PATH, `${BASE_PATH}protocol`, DOCS_PATH].map((path) => ({ path }));

/**
 * What crawlers look for: robots.txt, and on public sites the sitemap: an index, one of the site's own pages, and one for
 * each range of plugins. Below the base path too, as the root may belong to the wider site.
 */
export async function crawlerFiles(app: FastifyInstance): Promise<void> {
  const { config } = app.gateway;
  const { community } = app.upstreams;
  const cache = app.caches.crawlers;
  const robots = robotsTxt(config);
  const sendRobots = (_request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    reply.header('cache-control', 'public, max-age=3600').type('text/plain; charset=utf-8').send(robots);
  for (const path of ['/robots.txt', `${BASE_PATH}robots.txt`]) app.get(path, sendRobots);
  if (!isPublicSite(config.deployType)) return;

  const answered = (text: string): CachedResponse => cachedResponse(200, XML, Buffer.from(text));
  /** Cached like the sitemaps: what is none of them is told without asking. */
  async function readRanges(): Promise<CachedResponse> {
    const ranges = await askList(community, sitemapRoutes.listSitemapRanges.path, 'range_list');
    return answered(JSON.stringify(ranges.filter(Number.isSafeInteger)));
  }
  function writeIndex(names: readonly string[]): CachedResponse {
    const paths = [PAGES, ...names].map((name) => `${BASE_PATH}sitemap-${name}.xml`);
    return answered(sitemapIndexXml(paths, config.publicUrl));
  }
  async function write(name: string): Promise<CachedResponse> {
    if (name === PAGES) return answered(sitemapXml([...OWN_PAGES, ...(await helpPages(app))], config));
    const path = `${sitemapRoutes.listSitemapPlugins.path}?range=${name}`;
    const plugins = await askList(community, path, 'plugin_list');
    return plugins.length === 0 ? answered(EMPTY) : answered(sitemapXml(plugins.flatMap(pageOf), config));
  }
  const read = (request: FastifyRequest, key: string, load: () => Promise<CachedResponse>) =>
    cache.get(key, LIFETIME, { load, mayLoad: () => request.consume('anonymous') });
  const send = (reply: FastifyReply, answer: CachedResponse) => {
    if (answer.body.length === EMPTY.length) throw appError('NOT_FOUND');
    return reply.header('cache-control', 'public, max-age=600').sendCached(answer, 'crawlers');
  };
  const rangeNames = async (request: FastifyRequest): Promise<string[]> => {
    const ranges: unknown = JSON.parse((await read(request, 'ranges', readRanges)).body.toString());
    return Array.isArray(ranges) ? ranges.map(String) : [];
  };

  for (const path of ['/sitemap.xml', `${BASE_PATH}sitemap.xml`]) {
    app.get(path, async (request, reply) => {
      const names = await rangeNames(request);
      return send(reply, await cache.get('index', LIFETIME, { load: async () => writeIndex(names) }));
    });
  }
  app.get<{ Params: { name: string } }>(`${BASE_PATH}sitemap-:name.xml`, async (request, reply) => {
    const { name } = request.params;
    const isRange = /^\d{1,5}$/.test(name) && (await rangeNames(request)).includes(name);
    if (name !== PAGES && !isRange) throw appError('NOT_FOUND');
    return send(reply, await read(request, name, () => write(name)));
  });
}

/** A list of a service's answer; empty where the service has no such call. @throws UPSTREAM_INVALID for anything else */
async function askList(community: Upstream, path: string, name: string): Promise<unknown[]> {
  const { status, body } = await askRead(community, { path, headers: { accept: 'application/json' } });
  if (status === 404) return [];
  const { data } = jsonObject(body);
  const list = status === 200 && isObject(data) ? data[name] : undefined;
  if (!Array.isArray(list)) throw appError('UPSTREAM_INVALID');
  return list;
}

/** The help center and its articles; what it cannot tell is left out. */
async function helpPages({ gateway, upstreams: { helpcenter } }: FastifyInstance): Promise<ListedPage[]> {
  if (!gateway.hasOwnHelp) return [];
  const articles = await askList(helpcenter, helpRoutes.listHelpArticles.path, 'article_list').catch(
    nothingToList,
  );
  const listed = articles.flatMap((article) => {
    if (!isObject(article) || !Number.isSafeInteger(article.id)) return [];
    const changed = typeof article.updated_at === 'string' ? { changed: article.updated_at } : {};
    return [{ path: `${HELP_PATH}${article.id}`, ...changed }];
  });
  return listed.length > 0 ? [{ path: HELP_PATH }, ...listed] : [];
}

/** A site without help is still one to be found. */
function nothingToList(error: unknown): unknown[] {
  if (!isAppError(error)) throw error;
  return [];
}

function pageOf(plugin: unknown): ListedPage[] {
  if (!isObject(plugin) || typeof plugin.plugin_key !== 'string') return [];
  const path = `${BASE_PATH}plugin/${encodeURIComponent(plugin.plugin_key)}`;
  return [{ path, ...(typeof plugin.updated_at === 'string' ? { changed: plugin.updated_at } : {}) }];
}

/** Whether search engines may know this site: not one of a company's own, and not one that is being built. */
export function isPublicSite(deployType: DeployType): boolean {
  return !isPrivate(deployType) && deployType !== 'dev';
}

/** What crawlers may look at (RFC 9309), and where the sitemap is. */
export function robotsTxt({ deployType, publicUrl }: { deployType: DeployType; publicUrl: string }): string {
  if (!isPublicSite(deployType)) return 'User-agent: *\nDisallow: /\n';
  return [
    'User-agent: *',
    'Disallow: /api/auth/',
    'Disallow: /user/',
    `Disallow: ${BASE_PATH}backstage-index/`,
    '',
    `Sitemap: ${new URL(`${BASE_PATH}sitemap.xml`, publicUrl).href}`,
    '',
  ].join('\n');
}

/** A page as a sitemap lists it; `path` is without `?lang=`. */
export type ListedPage = { path: string; changed?: string };

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
const SITEMAPS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const LINKS = 'xmlns:xhtml="http://www.w3.org/1999/xhtml"';

/** A sitemap (sitemaps.org) in which every page names its other languages, as search engines ask for them. */
export function sitemapXml(
  pages: readonly ListedPage[],
  { languages, publicUrl }: { languages: readonly Language[]; publicUrl: string },
): string {
  const entries = pages.map(({ path, changed }) => {
    const links = alternatesOf(path, languages, publicUrl).map(
      ({ hreflang, href }) =>
        `<xhtml:link rel="alternate" hreflang="${hreflang}" href="${escapeMarkup(href)}"/>`,
    );
    const lastmod = changed === undefined ? '' : `<lastmod>${escapeMarkup(changed)}</lastmod>`;
    return `<url><loc>${escapeMarkup(new URL(path, publicUrl).href)}</loc>${lastmod}${links.join('')}</url>\n`;
  });
  return `${HEAD}<urlset ${SITEMAPS} ${LINKS}>\n${entries.join('')}</urlset>\n`;
}

/** The list of sitemaps. */
export function sitemapIndexXml(paths: readonly string[], publicUrl: string): string {
  const entries = paths.map(
    (path) => `<sitemap><loc>${escapeMarkup(new URL(path, publicUrl).href)}</loc></sitemap>\n`,
  );
  return `${HEAD}<sitemapindex ${SITEMAPS}>\n${entries.join('')}</sitemapindex>\n`;
}
