import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { BASE_PATH } from '../../../../shared/constants.ts';
import { shareRoutes } from '../../../../shared/routes/share.ts';
import { appError } from '../../../http/errors.ts';
import type { AnswerCache } from '../../answers/answer-cache.ts';
import type { SendShared } from '../../answers/send-shared.ts';
import { type SharedAnswer, sharedAnswer } from '../../answers/shared-answer.ts';
import type { GatewayConfig } from '../../options.ts';
import { askRead, isObject, jsonObject } from '../../upstream/ask.ts';
import type { Upstream } from '../../upstream/upstream.ts';
import { isPublicSite, robotsTxt } from './robots-txt.ts';
import { type ListedPage, sitemapIndexXml, sitemapXml } from './sitemap-xml.ts';

type Parts = {
  config: Pick<GatewayConfig, 'deployType' | 'languages' | 'publicUrl'>;
  community: Upstream;
  cache: AnswerCache;
  sendShared: SendShared;
};

/** Milliseconds for which a sitemap is kept. */
const KEPT_FOR = 10 * 60 * 1000;
const XML = 'application/xml; charset=utf-8';
const PAGES = 'pages';
const OWN_PAGES: ListedPage[] = [{ path: BASE_PATH }, { path: `${BASE_PATH}protocol` }];

/**
 * What crawlers look for: robots.txt, and on public sites the sitemap: an index, one of the site's own pages, and one for
 * each range of plugins. Below the base path too, as the root may belong to the wider site.
 */
export function registerCrawlerFiles(
  app: FastifyInstance,
  { config, community, cache, sendShared }: Parts,
): void {
  const robots = robotsTxt(config);
  const sendRobots = (_request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    reply.header('cache-control', 'public, max-age=3600').type('text/plain; charset=utf-8').send(robots);
  for (const path of ['/robots.txt', `${BASE_PATH}robots.txt`]) app.get(path, sendRobots);
  if (!isPublicSite(config.deployType)) return;

  const answered = (text: string): SharedAnswer => sharedAnswer(200, XML, Buffer.from(text));
  async function writeIndex(): Promise<SharedAnswer> {
    const ranges = await askList(community, shareRoutes.listSitemapRanges.path, 'range_list');
    const names = [PAGES, ...ranges.filter(Number.isSafeInteger)];
    return answered(
      sitemapIndexXml(
        names.map((name) => `${BASE_PATH}sitemap-${name}.xml`),
        config.publicUrl,
      ),
    );
  }
  async function write(name: string): Promise<SharedAnswer> {
    if (name === PAGES) return answered(sitemapXml(OWN_PAGES, config));
    const path = `${shareRoutes.listSitemapPlugins.path}?range=${name}`;
    const plugins = await askList(community, path, 'plugin_list');
    if (plugins.length === 0) throw appError('NOT_FOUND');
    return answered(sitemapXml(plugins.flatMap(pageOf), config));
  }
  const send = async (
    request: FastifyRequest,
    reply: FastifyReply,
    key: string,
    make: () => Promise<SharedAnswer>,
  ) => {
    const answer = await cache.take(key, KEPT_FOR, make);
    return sendShared(request, reply.header('cache-control', 'public, max-age=600'), answer, 'crawlers');
  };
  for (const path of ['/sitemap.xml', `${BASE_PATH}sitemap.xml`]) {
    app.get(path, (request, reply) => send(request, reply, 'index', writeIndex));
  }
  app.get<{ Params: { name: string } }>(`${BASE_PATH}sitemap-:name.xml`, (request, reply) => {
    const { name } = request.params;
    if (name !== PAGES && !/^(?:0|[1-9]\d{0,4})$/.test(name)) throw appError('NOT_FOUND');
    return send(request, reply, name, () => write(name));
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

function pageOf(plugin: unknown): ListedPage[] {
  if (!isObject(plugin) || typeof plugin.plugin_key !== 'string') return [];
  const path = `${BASE_PATH}plugin/${encodeURIComponent(plugin.plugin_key)}`;
  return [{ path, ...(typeof plugin.updated_at === 'string' ? { changed: plugin.updated_at } : {}) }];
}
