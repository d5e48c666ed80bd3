import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { Check } from 'typebox/value';
import type { DeployType } from '../../shared/deploy-types.ts';
import { UNSUBSCRIBE_PATH } from '../../shared/notice.ts';
import { collectRoutes } from '../../shared/routes/collect.ts';
import { mailPreferenceRoutes } from '../../shared/routes/notice.ts';
import { appError } from '../http/errors.ts';
import { hasLocalAccounts } from './sign-in/login-params.ts';
import { callUpstream, forwardedHeaders, type Upstream } from './upstream.ts';

/** Maximum event size, and maximum number of pending events: a slow collector must not fill the memory. */
const EVENT_BYTES = 64 * 1024;
const MAX_PENDING = 200;

/** Content type of `navigator.sendBeacon` (Fetch standard, body extraction), and the format of the events. */
const BEACON_TYPE = 'text/plain';
const EVENT = /^data=[\w%.~!*'()-]+&ext=crc%3D-?\d+$/;

/** Other deploy types report to the collector's `default` project (specification section 7). */
const PRODUCTION: ReadonlySet<DeployType> = new Set(['domestic', 'overseas']);

/**
 * Relays analytics events (design section 1). The response does not wait for the collector. Only the event, the
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

const BODY_BYTES = 4096;
const Query = Type.Object({ token: Type.String({ minLength: 1, maxLength: 400 }) });

/** One-click unsubscribe (RFC 8058). The token in the URL authorizes the call, so there is no CSRF check. */
export async function unsubscribe(scope: FastifyInstance): Promise<void> {
  const { gateway, upstreams } = scope;
  if (!hasLocalAccounts(gateway.config)) return;
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_BYTES }, async () => undefined);
  scope.post(UNSUBSCRIBE_PATH, async (request, reply) => {
    await request.consume('anonymous');
    if (!Check(Query, request.query)) throw appError('MAIL_LINK_INVALID');
    const { token } = request.query;
    const { method, path } = mailPreferenceRoutes.unsubscribe;
    const headers = { 'content-type': 'application/json' };
    const { status } = await callUpstream(upstreams.identity, {
      method,
      path,
      headers,
      body: JSON.stringify({ token }),
    });
    if (status !== 200) throw appError('MAIL_LINK_INVALID');
    return reply.code(204).send();
  });
}
