import { FastifyOtelInstrumentation } from '@fastify/otel';
import type { Span, TracerProvider } from '@opentelemetry/api';
import type { FastifyRequest } from 'fastify';

/** What operators ask again and again tells nothing. */
const IGNORED: ReadonlySet<string> = new Set(['/livez', '/readyz', '/metrics']);

/**
 * A span for every request and one for its handler. Names and attributes hold the route's template: addresses, and the
 * codes and keys in them, stay out of traces as they stay out of the log.
 */
export function traceRequests(provider: TracerProvider): () => void {
  const instrumentation = new FastifyOtelInstrumentation({
    registerOnInitialization: true,
    instrumentHooks: false,
    recordExceptions: false,
    ignorePaths: ({ url }) => IGNORED.has(url),
    requestHook: describe,
  });
  instrumentation.setTracerProvider(provider);
  return () => instrumentation.disable();
}

function describe(span: Span, request: FastifyRequest): void {
  const route = request.routeOptions.url ?? 'none';
  span.updateName(`${request.method} ${route}`);
  span.setAttribute('url.path', route);
  const { traceId, spanId, traceFlags } = span.spanContext();
  request.traceparent = `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}
