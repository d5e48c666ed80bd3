import type { FastifyInstance, FastifyReply } from 'fastify';
import fp from 'fastify-plugin';
import { isFresh } from '../../http/implement.ts';
import { recordOf } from '../log.ts';
import { type CachedResponse, createBackgroundCompression, encodedBody } from './cached-response.ts';
import { createPublicReader, publicReadOf, type ReadPublic } from './public-responses.ts';
import { createResponseCache, type ResponseCache } from './response-cache.ts';

/** Bytes of each cache. */
const BYTES = {
  answers: 32 * 1024 * 1024,
  pages: 32 * 1024 * 1024,
  crawlers: 16 * 1024 * 1024,
} as const;

export type CacheName = keyof typeof BYTES;

declare module 'fastify' {
  interface FastifyInstance {
    /** What clients without a session share: responses of services, pages, and sitemaps. */
    caches: Readonly<Record<CacheName, ResponseCache>>;
    /** A cacheable call of the contract, for nobody's session. */
    readPublic: ReadPublic;
  }
  interface FastifyReply {
    /** Sends a cached response: 304 when the browser has it, compressed when it takes that. */
    sendCached(response: CachedResponse, cache: CacheName): Promise<FastifyReply>;
  }
}

/** Responses that clients without a session share; cacheable calls of theirs are answered here. */
export const cache = fp(
  async (app: FastifyInstance) => {
    const { metrics, sessions, upstreams } = app;
    const { log, perf } = app.gateway;
    const create = (name: CacheName): ResponseCache =>
      createResponseCache({
        bytes: BYTES[name],
        perf,
        onFetch: (outcome) => metrics.countCache(name, outcome),
        onRevalidationFailed: (error) => log.warn({ err: error, cache: name }, 'cache revalidation failed'),
      });
    const caches = { answers: create('answers'), pages: create('pages'), crawlers: create('crawlers') };
    const readPublic = createPublicReader(caches.answers, upstreams, watchTags(app));
    app.decorate('caches', caches);
    app.decorate('readPublic', readPublic);
    app.decorateReply('sendCached', createSender());

    app.addHook('onRequest', async (request, reply) => {
      const read = publicReadOf(request);
      // Whether a session still holds is looked at where its calls are passed on.
      if (!read || sessions.inCookies(request.cookies)) return undefined;
      // So that a cookie that means nothing is taken away.
      if (request.headers.cookie !== undefined) await request.loadSession();
      const response = await readPublic(request, read, (upstream) => {
        recordOf(request).upstream = upstream;
      });
      return reply.header('cache-control', 'no-cache').sendCached(response, 'answers');
    });
  },
  {
    name: 'cache',
    dependencies: ['csrf', 'gateway', 'requests', 'metrics', 'rate-limit', 'session', 'upstreams'],
  },
);

function createSender(): FastifyReply['sendCached'] {
  const compressAgain = createBackgroundCompression();
  return async function sendCached(this: FastifyReply, response, cache) {
    const { body, encoding } = await encodedBody(response, this.request.headers['accept-encoding']);
    response.sent += 1;
    // What is asked for once is not worth the work.
    if (cache === 'pages' && encoding === 'br' && response.isCacheable && response.sent > 1) {
      compressAgain(response, (err) => this.log.warn({ err }, 'background compression failed'));
    }
    this.header('etag', response.etag);
    if (response.status === 200 && isFresh(this.request, response.etag)) return this.code(304).send();
    if (encoding) this.header('content-encoding', encoding);
    return this.code(response.status).header('content-type', response.contentType).send(body);
  };
}

/** Warns when the community's list of tags becomes empty, and tells whoever wants to know. */
function watchTags({ gateway: { log, onTags } }: FastifyInstance): (hasTags: boolean) => void {
  let last: boolean | undefined;
  return (hasTags) => {
    if (hasTags === last) return;
    last = hasTags;
    if (!hasTags) log.warn('the community service has no tags to browse by');
    onTags?.(hasTags);
  };
}
