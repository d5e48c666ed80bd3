import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { cachedResponse } from '../../cache/response-cache.ts';
import { type AtomFeed, atomDocument } from './atom.ts';

/** Milliseconds for which a feed is cached: readers ask some times an hour, and news must not be old. */
const LIFETIME = 30_000;
/** Not for shared caches: the address is the same in all languages. */
const HEADERS = { 'cache-control': 'private, max-age=30' };

/**
 * Sends a feed in the reader's language, from the cache if it is there.
 * @param load makes the feed; called at most once every 30 s for a path and language
 * @throws what `load` throws; RATE_LIMITED
 */
export async function sendFeed(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  { path, load }: { path: string; load: () => Promise<Omit<AtomFeed, 'path'>> },
): Promise<FastifyReply> {
  const { language } = request;
  const { publicUrl } = app.gateway.config;
  const response = await app.caches.crawlers.get(`feed ${language} ${path}`, LIFETIME, {
    load: async () => {
      const body = atomDocument({ ...(await load()), path }, language, publicUrl);
      return cachedResponse(200, 'application/atom+xml; charset=utf-8', Buffer.from(body));
    },
    mayLoad: () => request.consume('anonymous'),
  });
  return reply.headers(HEADERS).sendCached(response, 'crawlers');
}
