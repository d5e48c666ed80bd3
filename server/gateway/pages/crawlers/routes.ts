import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { BASE_PATH, DOCS_PATH, HELP_PATH } from '../../../../shared/constants.ts';
import { helpRoutes } from '../../../../shared/routes/help.ts';
import { shareRoutes } from '../../../../shared/routes/share.ts';
import { appError, isAppError } from '../../../http/errors.ts';
import type { AnswerCache } from '../../answers/answer-cache.ts';
import type { SendShared } from '../../answers/send-shared.ts';
import { type SharedAnswer, sharedAnswer } from '../../answers/shared-answer.ts';
import type { Consume } from '../../limits/limit-requests.ts';
import type { GatewayConfig } from '../../options.ts';
import { askRead, isObject, jsonObject } from '../../upstream/ask.ts';
import type { Upstream } from '../../upstream/upstream.ts';
import { isPublicSite, robotsTxt } from './robots-txt.ts';
import { type ListedPage, sitemapIndexXml, sitemapXml } from './sitemap-xml.ts';

type Parts = {
  config: Pick<GatewayConfig, 'deployType' | 'languages' | 'publicUrl'>;
  community: Upstream;
  /** Our own help center, where there is none that was there already. */
  helpcenter: Upstream | undefined;
  cache: AnswerCache;
  sendShared: SendShared;
  consume: Consume;
};

/** Milliseconds for which a sitemap is kept. */
const KEPT_FOR = 10 * 60 * 1000;
const XML = 'application/xml; charset=utf-8';
const PAGES = 'pages';
/** A sitemap without a page, which is no sitemap. */
const EMPTY = '';
const OWN_PAGES: ListedPage[] = [BASE_PATH, `${BASE_PATH}protocol`, DOCS_PATH].map((path) => ({ path }));

/**
 * What crawlers look for: robots.txt, and on public sites the sitemap: an index, one of the site's own pages, and one for
 * each range of plugins. Below the base path too, as the root may belong to the wider site.
 */
export function registerCrawlerFiles(
  app: FastifyInstance,
  { config, community, helpcenter, cache, sendShared, consume }: Parts,
): void {
  const robots = robotsTxt(config);
  const sendRobots = (_request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    reply.header('cache-control', 'public, max-age=3600').type('text/plain; charset=utf-8').send(robots);
  for (const path of ['/robots.txt', `${BASE_PATH}robots.txt`]) app.get(path, sendRobots);
  if (!isPublicSite(config.deployType)) return;

  const answered = (text: string): SharedAnswer => sharedAnswer(200, XML, Buffer.from(text));
  /** Kept like the sitemaps: what is none of them is told without asking. */
  async function readRanges(): Promise<SharedAnswer> {
    const ranges = await askList(community, shareRoutes.listSitemapRanges.path, 'range_list');
    return answered(JSON.stringify(ranges.filter(Number.isSafeInteger)));
  }
  function writeIndex(names: readonly string[]): SharedAnswer {
    const paths = [PAGES, ...names].map((name) => `${BASE_PATH}sitemap-${name}.xml`);
    return answered(sitemapIndexXml(paths, config.publicUrl));
  }
  async function write(name: string): Promise<SharedAnswer> {
    if (name === PAGES) return answered(sitemapXml([...OWN_PAGES, ...(await helpPages(helpcenter))], config));
    const path = `${shareRoutes.listSitemapPlugins.path}?range=${name}`;
    const plugins = await askList(community, path, 'plugin_list');
    return plugins.length === 0 ? answered(EMPTY) : answered(sitemapXml(plugins.flatMap(pageOf), config));
  }
  const take = (request: FastifyRequest, key: string, make: () => Promise<SharedAnswer>) =>
    cache.take(key, KEPT_FOR, make, { mayMake: () => consume(request, 'anonymous') });
  const send = (request: FastifyRequest, reply: FastifyReply, answer: SharedAnswer) => {
    if (answer.body.length === EMPTY.length) throw appError('NOT_FOUND');
    return sendShared(request, reply.header('cache-control', 'public, max-age=600'), answer, 'crawlers');
  };
  const rangeNames = async (request: FastifyRequest): Promise<string[]> => {
    const ranges: unknown = JSON.parse((await take(request, 'ranges', readRanges)).body.toString());
    return Array.isArray(ranges) ? ranges.map(String) : [];
  };

  for (const path of ['/sitemap.xml', `${BASE_PATH}sitemap.xml`]) {
    app.get(path, async (request, reply) => {
      const names = await rangeNames(request);
      return send(request, reply, await cache.take('index', KEPT_FOR, async () => writeIndex(names)));
    });
  }
  app.get<{ Params: { name: string } }>(`${BASE_PATH}sitemap-:name.xml`, async (request, reply) => {
    const { name } = request.params;
    const isRange = /^\d{1,5}$/.test(name) && (await rangeNames(request)).includes(name);
    if (name !== PAGES && !isRange) throw appError('NOT_FOUND');
    return send(request, reply, await take(request, name, () => write(name)));
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
async function helpPages(helpcenter: Upstream | undefined): Promise<ListedPage[]> {
  if (!helpcenter) return [];
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
