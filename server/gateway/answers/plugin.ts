import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import type { GatewayOptions } from '../options.ts';
import { type AnonymousRead, createAnonymousReads } from './anonymous-reads.ts';
import { type AnswerCache, createAnswerCache } from './answer-cache.ts';
import type { CacheName } from './at-once.ts';
import { createSendShared, type SendShared } from './send-shared.ts';
import type { SharedAnswer } from './shared-answer.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** What is kept for visitors without a session: responses of services, pages and sitemaps. */
    caches: Readonly<Record<CacheName, AnswerCache>>;
    anonymousReads: (read: AnonymousRead) => Promise<SharedAnswer>;
    sendShared: SendShared;
  }
}

/** Bytes of each cache. */
const BYTES: Readonly<Record<CacheName, number>> = {
  answers: 32 * 1024 * 1024,
  pages: 32 * 1024 * 1024,
  crawlers: 16 * 1024 * 1024,
};

/** What visitors without a session share. */
export const cache = fp(
  async (app: FastifyInstance) => {
    const { gateway, metrics } = app;
    const cacheOf = (name: CacheName): AnswerCache =>
      createAnswerCache({
        bytes: BYTES[name],
        now: gateway.now,
        onTake: (outcome) => metrics.countCache(name, outcome),
        onRenewalFailed: (error) =>
          gateway.log.warn({ err: error, cache: name }, 'a kept answer could not be made anew'),
      });
    const caches = { answers: cacheOf('answers'), pages: cacheOf('pages'), crawlers: cacheOf('crawlers') };
    app.decorate('caches', caches);
    app.decorate('sendShared', createSendShared(app.atOnce));
    app.decorate('anonymousReads', createAnonymousReads(caches.answers, app.upstreams, watchTags(gateway)));
  },
  { name: 'cache', dependencies: ['at-once', 'gateway', 'metrics', 'upstreams'] },
);

/** Warns when the community's list of tags becomes empty, and tells whoever wants to know. */
function watchTags({ log, onTags }: GatewayOptions): (hasTags: boolean) => void {
  let last: boolean | undefined;
  return (hasTags) => {
    if (hasTags === last) return;
    last = hasTags;
    if (!hasTags) log.warn('the community service has no tags to browse by');
    onTags?.(hasTags);
  };
}
