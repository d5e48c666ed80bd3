import type { FastifyInstance } from 'fastify';
import { appError } from '../http/errors.ts';
import { navigationFault, needsProof, proofFault } from './csrf/csrf.ts';
import type { GatewayMetrics } from './metrics.ts';
import type { PublishTokenOf } from './publish-token.ts';
import { recordOf } from './request-record.ts';
import { requestFault } from './request-rules.ts';
import { noteSecurityEvent } from './security-event.ts';
import { answerHeaders } from './security-headers.ts';

/** What happens to every request before its handler: safe defaults for the answer, then the refusals. */
export function guardRequests(
  app: FastifyInstance,
  {
    publicUrl,
    metrics,
    publishTokenOf,
  }: { publicUrl: URL; metrics: GatewayMetrics; publishTokenOf: PublishTokenOf },
): void {
  const defaults = {
    ...answerHeaders(publicUrl),
    'cache-control': 'no-store',
    vary: 'Cookie, Accept-Language, Accept-Encoding',
  };
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(defaults).header('x-request-id', request.id);
    const fault = requestFault(request.raw);
    if (fault) throw appError(fault);
    const isNavigation = request.routeOptions.config.route?.navigation === true;
    const isChecked = isNavigation || needsProof(request);
    const missing = isNavigation
      ? navigationFault(request)
      : isChecked && proofFault(request, publicUrl.origin, publishTokenOf);
    recordOf(request).csrf = isChecked ? missing || 'passed' : 'not_needed';
    if (!missing) return done();
    metrics.countRefused(missing);
    noteSecurityEvent(request, 'csrf_refused', { reason: missing });
    throw appError('CSRF_REFUSED');
  });
}
