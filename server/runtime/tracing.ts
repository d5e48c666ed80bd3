import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { setTimeout as delay } from 'node:timers/promises';
import { FastifyOtelInstrumentation } from '@fastify/otel';
import {
  context,
  DiagLogLevel,
  diag,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  type TracerProvider,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import type { LogEvent } from 'kysely';
import { QUERY_CHANNEL } from '../database/pool.ts';
import { trustIn } from '../http/outgoing.ts';

/** Time between two log lines about an unreachable collector. */
const LOG_INTERVAL_MS = 60_000;
/** Including retries. */
const SEND_TIMEOUT_MS = 3000;
const FLUSH_TIMEOUT_MS = 2000;

/**
 * Sends spans to an OTLP/HTTP collector with the base address `endpoint`: one for every request of apps and every query of
 * pools that are created after this call. If the collector is unavailable, spans are lost and nothing else is affected.
 */
export function traceTo({
  endpoint,
  ca,
  serviceName,
  version,
  log,
}: {
  endpoint: string;
  /** PEM of a private CA. */
  ca?: string | undefined;
  serviceName: string;
  version: string;
  log: FastifyBaseLogger;
}): { stop: () => Promise<void> } {
  const logError = createErrorLog(log);
  setDiagnosticLog(logError);
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName, 'service.version': version }),
    spanProcessors: [
      new BatchSpanProcessor(
        new OTLPTraceExporter({
          url: `${endpoint}/v1/traces`,
          timeoutMillis: SEND_TIMEOUT_MS,
          // Without a private CA, OpenTelemetry's own setting for a CA applies.
          ...(ca !== undefined && { httpAgentOptions: { keepAlive: true, ...trustIn(ca) } }),
        }),
      ),
    ],
  });
  provider.register();
  const stops = [traceRequests(provider), traceQueries(provider.getTracer('plugin-square'))];
  return {
    async stop() {
      for (const stop of stops) stop();
      const sent = provider.shutdown().catch((error: unknown) => logError(String(error)));
      await Promise.race([sent, delay(FLUSH_TIMEOUT_MS, undefined, { ref: false })]);
      diag.disable();
    },
  };
}

/** Logs at most one line per interval, because sending is retried every few seconds. */
function createErrorLog(log: FastifyBaseLogger): (reason: string) => void {
  let nextLogAt = 0;
  return (reason) => {
    if (performance.now() < nextLogAt) return;
    nextLogAt = performance.now() + LOG_INTERVAL_MS;
    log.warn({ reason }, 'traces could not be sent');
  };
}

function setDiagnosticLog(logError: (reason: string) => void): void {
  const silent = (): void => undefined;
  diag.setLogger(
    { error: logError, warn: silent, info: silent, debug: silent, verbose: silent },
    { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true },
  );
}

/** Monitoring requests would only add noise. */
const IGNORED: ReadonlySet<string> = new Set(['/livez', '/readyz', '/metrics']);

/**
 * Creates a span for every request and one for its handler. Names and attributes contain the route's template instead of
 * the address, which may contain codes and keys.
 */
function traceRequests(provider: TracerProvider): () => void {
  const instrumentation = new FastifyOtelInstrumentation({
    registerOnInitialization: true,
    instrumentHooks: false,
    recordExceptions: false,
    ignorePaths: ({ url }) => IGNORED.has(url),
    requestHook: describeRequest,
  });
  instrumentation.setTracerProvider(provider);
  return () => instrumentation.disable();
}

function describeRequest(span: Span, request: FastifyRequest): void {
  const route = request.routeOptions.url ?? 'none';
  span.updateName(`${request.method} ${route}`);
  span.setAttribute('url.path', route);
  const { traceId, spanId, traceFlags } = span.spanContext();
  request.traceparent = `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

/** Longer SQL texts are cut. */
const TEXT_MAX = 2000;

/** Creates a span for every query of a request; its SQL text has placeholders instead of values. */
function traceQueries(tracer: Tracer): () => void {
  const onQuery = (event: unknown): void => {
    if (isLogEvent(event)) describeQuery(tracer, event);
  };
  subscribe(QUERY_CHANNEL, onQuery);
  return () => void unsubscribe(QUERY_CHANNEL, onQuery);
}

function isLogEvent(event: unknown): event is LogEvent {
  return typeof event === 'object' && event !== null && 'queryDurationMillis' in event;
}

function describeQuery(tracer: Tracer, { level, query, queryDurationMillis }: LogEvent): void {
  if (!trace.getSpan(context.active())) return;
  const ended = performance.timeOrigin + performance.now();
  const operation = /^\s*(\w+)/.exec(query.sql)?.[1]?.toUpperCase() ?? 'QUERY';
  const span = tracer.startSpan(operation, {
    kind: SpanKind.CLIENT,
    startTime: ended - queryDurationMillis,
    attributes: {
      'db.system.name': 'postgresql',
      'db.operation.name': operation,
      'db.query.text': query.sql.slice(0, TEXT_MAX),
    },
  });
  if (level === 'error') span.setStatus({ code: SpanStatusCode.ERROR });
  span.end(ended);
}
