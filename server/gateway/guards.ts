import type { FastifyInstance } from 'fastify';
import { appError } from '../http/errors.ts';
import { needsProof, proofFault } from './auth/same-site-proof.ts';
import type { GatewayMetrics } from './metrics.ts';
import { requestFault } from './request-rules.ts';
import { answerHeaders } from './security-headers.ts';

/** What happens to every request before its handler: safe defaults for the answer, then the refusals. */
export function guardRequests(app: FastifyInstance, publicUrl: URL, metrics: GatewayMetrics): void {
  const defaults = {
    ...answerHeaders(publicUrl),
    'cache-control': 'no-store',
    vary: 'Cookie, Accept-Language, Accept-Encoding',
  };
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(defaults).header('x-request-id', request.id);
    const fault = requestFault(request.raw);
    if (fault) throw appError(fault);
    if (!needsProof(request)) return;
    const missing = proofFault(request, publicUrl.origin);
    if (missing === undefined) return;
    metrics.countRefused(missing);
    request.log.info({ event: 'csrf_refused', reason: missing }, 'request refused');
    throw appError('CSRF_REFUSED');
  });
}
