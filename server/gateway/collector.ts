import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { DeployType } from '../../shared/deploy-types.ts';
import { collectRoutes } from '../../shared/routes/collect.ts';
import { appError } from '../http/errors.ts';
import { callUpstream, forwardedHeaders, type Upstream } from './upstream.ts';

/** Maximum event size, and maximum number of pending events: a slow collector must not fill the memory. */
const EVENT_BYTES = 64 * 1024;
const MAX_PENDING = 200;

/** Content type of `navigator.sendBeacon` (Fetch standard, body extraction), and the format of the events. */
const BEACON_TYPE = 'text/plain';
const EVENT = /^data=[\w%.~!*'()-]+&ext=crc%3D-?\d+$/;

/** Other deploy types report to the collector's `default` project (R 11.22). */
const PRODUCTION: ReadonlySet<DeployType> = new Set(['domestic', 'overseas']);

/**
 * Relays analytics events (R 11.22). The response does not wait for the collector. Only the event, the
 * client's address and its user agent are sent; no cookies, no tokens. 404 if no collector is configured.
 */
export async function collector(scope: FastifyInstance): Promise<void> {
  const { gateway, upstreams } = scope;
  const project = PRODUCTION.has(gateway.config.deployType) ? 'production' : 'default';
  let pending = 0;

  async function relay(service: Upstream, request: FastifyRequest, body: string): Promise<void> {
    if (pending >= MAX_PENDING) return void service.watch()();
    pending += 1;
    // The query is appended to the collector's own path, or to the root if it has none.
    const path = `${service.basePath ? '' : '/'}?project=${project}`;
    const { 'content-type': type = BEACON_TYPE, 'user-agent': agent } = request.headers;
    const headers = {
      ...forwardedHeaders(request),
      'content-type': type,
      ...(agent !== undefined && { 'user-agent': agent }),
    };
    try {
      const { status } = await callUpstream(service, { method: 'POST', path, headers, body });
      if (status >= 400) request.log.debug({ status }, 'collector rejected event');
    } catch (error) {
      request.log.debug({ err: error }, 'collector unavailable');
    } finally {
      pending -= 1;
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
