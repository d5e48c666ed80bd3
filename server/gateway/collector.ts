import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { DeployType } from '../../shared/deploy-types.ts';
import { collectRoutes } from '../../shared/routes/collect.ts';
import { appError } from '../http/errors.ts';
import { ask, forwardedHeaders, type Upstream } from './upstream.ts';

/** Bytes of an event, and events on their way at the same time; a slow collector must not fill the memory. */
const EVENT_BYTES = 64 * 1024;
const UNDER_WAY = 200;

/** What `navigator.sendBeacon` names a text (Fetch standard, body extraction), and the one text that pages send by it. */
const BEACON_TYPE = 'text/plain';
const EVENT = /^data=[\w%.~!*'()-]+&ext=crc%3D-?\d+$/;

/** Deploy types whose events count; all others only try things out (specification section 7). */
const PRODUCTION: ReadonlySet<DeployType> = new Set(['domestic', 'overseas']);

/**
 * Relays analytics events (design section 1): answered before the collector is asked, so a slow or missing one costs
 * nobody anything. What goes on is the event, the client's address and user agent; no cookie and no token. Without a
 * collector the call is not there.
 */
export async function collector(scope: FastifyInstance): Promise<void> {
  const { gateway, upstreams } = scope;
  const project = PRODUCTION.has(gateway.config.deployType) ? 'production' : 'default';
  let underWay = 0;

  async function relay(service: Upstream, request: FastifyRequest, body: string): Promise<void> {
    if (underWay >= UNDER_WAY) return void service.watch()();
    underWay += 1;
    // Hangs at the collector's own path; an address without one has the root.
    const path = `${service.basePath ? '' : '/'}?project=${project}`;
    const { 'content-type': type = BEACON_TYPE, 'user-agent': agent } = request.headers;
    const headers = {
      ...forwardedHeaders(request),
      'content-type': type,
      ...(agent !== undefined && { 'user-agent': agent }),
    };
    try {
      const { status } = await ask(service, { method: 'POST', path, headers, body });
      if (status >= 400) request.log.debug({ status }, 'collector rejected event');
    } catch (error) {
      request.log.debug({ err: error }, 'collector unavailable');
    } finally {
      underWay -= 1;
    }
  }

  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(BEACON_TYPE, { parseAs: 'string' }, (_request, text, done) => done(null, text));
  scope.route<{ Body: unknown }>({
    method: collectRoutes.collect.method,
    url: collectRoutes.collect.path,
    bodyLimit: EVENT_BYTES,
    config: { route: collectRoutes.collect },
    onRequest: async () => {
      if (!upstreams.collector) throw appError('NOT_FOUND');
    },
    handler: async (request, reply) => {
      const { body } = request;
      if (typeof body !== 'string' || !EVENT.test(body)) throw appError('MALFORMED_BODY');
      if (upstreams.collector) void relay(upstreams.collector, request, body);
      return reply.code(204).send();
    },
  });
}
