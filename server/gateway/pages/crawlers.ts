import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  BASE_PATH,
  COLLECTIONS_PATH,
  DOCS_PATH,
  HELP_PATH,
  PUBLISHER_PATH,
  PUBLISHING_PATH,
} from '../../../shared/constants.ts';
import { contract } from '../../../shared/contract.ts';
import { isPrivate } from '../../../shared/deploy-types.ts';
import { escapeMarkup } from '../../../shared/escape-markup.ts';
import { alternatesOf } from '../../../shared/languages.ts';
import { helpRoutes } from '../../../shared/routes/help.ts';
import { sitemapRoutes } from '../../../shared/routes/site.ts';
import { appError, isAppError } from '../../http/errors.ts';
import { cachedResponse } from '../cache/response-cache.ts';
import { isObject, jsonObject, readUpstream, type Upstream } from '../upstream.ts';

/** Milliseconds for which a sitemap is cached. */
const LIFETIME = 10 * 60 * 1000;
const HEADERS = { 'cache-control': 'public, max-age=600' };
const PAGES = 'pages';
const PUBLISHERS = 'publishers';
const COLLECTIONS = 'collections';
const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
const SITEMAPS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const LINKS = 'xmlns:xhtml="http://www.w3.org/1999/xhtml"';

/**
 * robots.txt, and on public sites the sitemap: an index, one sitemap of the site's own pages, one of publishers, one of
 * collections, and one for each range of plugins. Also below the base path, because the root may belong to the main site.
 */
export async function crawlerFiles(app: FastifyInstance): Promise<void> {
  const { deployType, publicUrl } = app.gateway.config;
  const { community } = app.upstreams;
  const isPublic = !isPrivate(deployType) && deployType !== 'dev';
  const hrefOf = (path: string): string => new URL(path, publicUrl).href;
  const hidden = ['/api/auth/', '/user/', `${BASE_PATH}backstage-index/`];
  const robots = isPublic
    ? `User-agent: *\n${hidden.map((path) => `Disallow: ${path}\n`).join('')}\nSitemap: ${hrefOf(`${BASE_PATH}sitemap.xml`)}\n`
    : 'User-agent: *\nDisallow: /\n';
  for (const path of ['/robots.txt', `${BASE_PATH}robots.txt`]) {
    app.get(path, (_request, reply) =>
      reply.header('cache-control', 'public, max-age=3600').type('text/plain; charset=utf-8').send(robots),
    );
  }
  if (!isPublic) return;

  const read = (request: FastifyRequest, name: string, load: () => Promise<string>) =>
    app.caches.crawlers.get(name, LIFETIME, {
      load: async () => cachedResponse(200, 'application/xml; charset=utf-8', Buffer.from(await load())),
      mayLoad: () => request.consume('anonymous'),
    });
  const readIndex = (request: FastifyRequest) =>
    read(request, 'index', async () => {
      const ranges = await readList(community, sitemapRoutes.listSitemapRanges.path, 'range_list');
      const handles = await readList(community, contract.listSitemapPublishers.path, 'handle_list');
      const { path } = contract.listSitemapCollections;
      const collections = await readList(community, path, 'collection_list');
      const names = [
        PAGES,
        ...(handles.length > 0 ? [PUBLISHERS] : []),
        ...(collections.length > 0 ? [COLLECTIONS] : []),
        ...ranges.filter(Number.isSafeInteger),
      ];
      const entries = names.map((name) => `<sitemap><loc>${hrefOf(sitemapPath(name))}</loc></sitemap>\n`);
      return `${HEAD}<sitemapindex ${SITEMAPS}>\n${entries.join('')}</sitemapindex>\n`;
    });
  for (const path of ['/sitemap.xml', `${BASE_PATH}sitemap.xml`]) {
    app.get(path, async (request, reply) =>
      reply.headers(HEADERS).sendCached(await readIndex(request), 'crawlers'),
    );
  }
  app.get<{ Params: { name: string } }>(sitemapPath(':name'), async (request, reply) => {
    const { name } = request.params;
    if (name !== PAGES) {
      if (!/^\d{1,5}$/.test(name) && !Object.hasOwn(ENTRIES, name)) throw appError('NOT_FOUND');
      const { body } = await readIndex(request);
      if (!body.includes(`${sitemapPath(name)}<`)) throw appError('NOT_FOUND');
    }
    const response = await read(request, name, async () => {
      const entries = await (ENTRIES[name] ?? plugins)(app, name);
      return entries === '' ? '' : `${HEAD}<urlset ${SITEMAPS} ${LINKS}>\n${entries}</urlset>\n`;
    });
    // A sitemap must not be empty; the empty result is cached as well.
    if (response.body.length === 0) throw appError('NOT_FOUND');
    return reply.headers(HEADERS).sendCached(response, 'crawlers');
  });
}

function sitemapPath(name: unknown): string {
  return `${BASE_PATH}sitemap-${name}.xml`;
}

/** A list of a service; empty if the service does not have the call. @throws AppError UPSTREAM_* */
async function readList(upstream: Upstream, path: string, name: string): Promise<unknown[]> {
  const { status, body } = await readUpstream(upstream, { path, headers: { accept: 'application/json' } });
  if (status === 404) return [];
  const { data } = jsonObject(body);
  const list = status === 200 && isObject(data) ? data[name] : undefined;
  if (!Array.isArray(list)) throw appError('UPSTREAM_INVALID');
  return list;
}

async function plugins(app: FastifyInstance, range: string): Promise<string> {
  const path = `${sitemapRoutes.listSitemapPlugins.path}?range=${range}`;
  const list = await readList(app.upstreams.community, path, 'plugin_list');
  const entries = list.map((plugin) => {
    if (!isObject(plugin) || typeof plugin.plugin_key !== 'string') return '';
    return entry(app, `${BASE_PATH}plugin/${encodeURIComponent(plugin.plugin_key)}`, plugin.updated_at);
  });
  return entries.join('');
}

async function publishers(app: FastifyInstance): Promise<string> {
  const { path } = contract.listSitemapPublishers;
  const handles = await readList(app.upstreams.community, path, 'handle_list');
  return handles
    .map((handle) =>
      typeof handle === 'string' ? entry(app, `${PUBLISHER_PATH}${encodeURIComponent(handle)}`) : '',
    )
    .join('');
}

async function collections(app: FastifyInstance): Promise<string> {
  const { path } = contract.listSitemapCollections;
  const list = await readList(app.upstreams.community, path, 'collection_list');
  const entries = list.map((collection) => {
    if (!isObject(collection)) return '';
    const { slug, collection_key: key, updated_at: changed } = collection;
    if (typeof slug === 'string')
      return entry(app, `${COLLECTIONS_PATH}/${encodeURIComponent(slug)}`, changed);
    return typeof key === 'string'
      ? entry(app, `${BASE_PATH}collection/${encodeURIComponent(key)}`, changed)
      : '';
  });
  return entries.join('');
}

/** The site's own pages and its help-center articles; without the articles if the help center fails. */
async function ownPages(app: FastifyInstance): Promise<string> {
  const own = [BASE_PATH, COLLECTIONS_PATH, PUBLISHING_PATH, `${BASE_PATH}protocol`, DOCS_PATH].map((path) =>
    entry(app, path),
  );
  if (!app.gateway.hasOwnHelp) return own.join('');
  const { path } = helpRoutes.listHelpArticles;
  const articles = await readList(app.upstreams.helpcenter, path, 'article_list').catch((error: unknown) => {
    if (!isAppError(error)) throw error;
    return [];
  });
  const help = articles.map((article) =>
    isObject(article) && Number.isSafeInteger(article.id)
      ? entry(app, `${HELP_PATH}${article.id}`, article.updated_at)
      : '',
  );
  return [...own, ...(articles.length > 0 ? [entry(app, HELP_PATH)] : []), ...help].join('');
}

/** A sitemap entry (sitemaps.org) with links to its other languages. */
function entry({ gateway }: FastifyInstance, path: string, changed?: unknown): string {
  const { languages, publicUrl } = gateway.config;
  const links = alternatesOf(path, languages, publicUrl).map(
    ({ hreflang, href }) =>
      `<xhtml:link rel="alternate" hreflang="${hreflang}" href="${escapeMarkup(href)}"/>`,
  );
  const lastmod = typeof changed === 'string' ? `<lastmod>${escapeMarkup(changed)}</lastmod>` : '';
  const loc = escapeMarkup(new URL(path, publicUrl).href);
  return `<url><loc>${loc}</loc>${lastmod}${links.join('')}</url>\n`;
}

/** What fills a sitemap, by its name; all others are ranges of plugins. */
const ENTRIES: Readonly<Record<string, (app: FastifyInstance) => Promise<string>>> = {
  [PAGES]: ownPages,
  [PUBLISHERS]: publishers,
  [COLLECTIONS]: collections,
};
