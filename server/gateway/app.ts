import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { createApp } from '../http/app.ts';
import { cookies } from '../http/cookies.ts';
import { cache } from './cache/plugin.ts';
import { collector } from './collector.ts';
import { cors } from './cors.ts';
import { csrf } from './csrf.ts';
import { createErrorPages } from './error-pages.ts';
import { requestLog } from './log.ts';
import { metrics } from './metrics.ts';
import { oauth } from './oauth/plugin.ts';
import { context, type GatewayOptions, timeoutsOf } from './options.ts';
import { pages } from './pages/plugin.ts';
import { playground } from './playground.ts';
import { readableTarget } from './proxy/path.ts';
import { proxy } from './proxy/plugin.ts';
import { rateLimit } from './rate-limit.ts';
import { shared } from './redis/plugin.ts';
import { requests } from './requests.ts';
import { access, session } from './session/plugin.ts';
import { provider, signIn } from './sign-in/plugin.ts';
import { unsubscribe } from './unsubscribe.ts';
import { upstreams } from './upstream.ts';

/**
 * The gateway: cookies in, bearer out. It serves the pages, signs users in and out, and proxies the
 * calls of the contract. Hooks run in the order in which the plugins are registered.
 * @throws Error if EXTRA_CMT_ROUTES contains anything but routes
 */
export async function createGateway(options: GatewayOptions): Promise<FastifyInstance> {
  const { config, log } = options;
  const { client, community } = timeoutsOf(options);
  const app = createApp({
    log,
    trustProxy: config.trustProxy,
    requestId: randomUUID,
    ...(options.closeWithin !== undefined && { closeWithin: options.closeWithin }),
    timeouts: client,
    emptyJson: true,
    errorPage: createErrorPages(config),
    rewriteUrl: readableTarget,
  });
  app.server.requestTimeout = community;
  await app.register(context, options);
  await app.register(metrics);
  await app.register(upstreams);
  await app.register(shared);
  await app.register(requestLog);
  await app.register(cookies);
  await app.register(requests);
  await app.register(cors);
  await app.register(playground);
  await app.register(csrf);
  await app.register(provider);
  await app.register(session);
  await app.register(rateLimit);
  await app.register(cache);
  await app.register(access);
  await app.register(signIn);
  await app.register(oauth);
  await app.register(collector);
  await app.register(proxy);
  await app.register(unsubscribe);
  await app.register(pages);
  return app;
}
