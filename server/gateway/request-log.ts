import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isAppError } from '../http/errors.ts';
import type { HttpMetrics } from '../http/metrics.ts';
import { recordOf } from './request-record.ts';

/**
 * One line and one observation per request, when its connection is done with it, however that came about. The route's
 * template stands for the address: queries and keys stay out of the log.
 */
export function logRequests(app: FastifyInstance, metrics: HttpMetrics): void {
  app.decorateRequest('record', null);
  app.addHook('onRequest', async (request, reply) => {
    recordOf(request);
    reply.raw.once('close', () => writeLine(request, reply, metrics));
  });
  app.addHook('onError', async (request, _reply, error) => {
    const record = recordOf(request);
    if (isAppError(error)) record.code = error.code;
  });
}

function writeLine(request: FastifyRequest, reply: FastifyReply, metrics: HttpMetrics): void {
  const { started, session, code, upstream } = recordOf(request);
  const route = request.routeOptions.url ?? 'none';
  const { method } = request;
  const { statusCode, writableFinished } = reply.raw;
  const duration = performance.now() - started;
  metrics.observe({ route, method, status: statusCode }, duration / 1000);
  request.log.info(
    {
      method,
      route,
      status: statusCode,
      duration_ms: Math.round(duration * 10) / 10,
      ...(session !== undefined && { session }),
      ...(code !== undefined && { code }),
      ...(upstream && { upstream }),
      ...(!writableFinished && { client_aborted: true }),
    },
    'request',
  );
}
