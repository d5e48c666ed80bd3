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
import { QUERY_CHANNEL } from './database/pool.ts';
import { trustIn } from './http/outgoing.ts';

/** Milliseconds for which a collector that cannot be reached is not mentioned again. */
const QUIET_FOR = 60_000;
/** Milliseconds that sending spans may take, further attempts included. */
const SEND_WITHIN = 3000;
/** Milliseconds that the last spans have to be sent when the program ends. */
const FLUSH_WITHIN = 2000;

/**
 * Sends a span for every request of apps that are made from now on, and for every query of pools that are opened from
 * now on, to an OTLP/HTTP collector. `endpoint`: its base address. Losing the collector loses spans and nothing else.
 */
export function traceTo({
  endpoint,
  ca,
  serviceName,
  version,
  log,
}: {
  endpoint: string;
  /** PEM of a private authority. */
  ca?: string | undefined;
  serviceName: string;
  version: string;
  log: FastifyBaseLogger;
}): { stop: () => Promise<void> } {
  const noteFault = createFaultNote(log);
  logFaults(noteFault);
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName, 'service.version': version }),
    spanProcessors: [
      new BatchSpanProcessor(
        new OTLPTraceExporter({
          url: `${endpoint}/v1/traces`,
          timeoutMillis: SEND_WITHIN,
          // Without an authority of ours OpenTelemetry's own setting for one holds.
          ...(ca !== undefined && { httpAgentOptions: { keepAlive: true, ...trustIn(ca) } }),
        }),
      ),
    ],
  });
  provider.register();
  const ends = [traceRequests(provider), traceQueries(provider.getTracer('plugin-square'))];
  return {
    async stop() {
      for (const end of ends) end();
      const sent = provider.shutdown().catch((error: unknown) => noteFault(String(error)));
      await Promise.race([sent, delay(FLUSH_WITHIN, undefined, { ref: false })]);
      diag.disable();
    },
  };
}

/** One line, then silence for a while: spans are tried again every few seconds. */
function createFaultNote(log: FastifyBaseLogger): (reason: string) => void {
  let quietUntil = 0;
  return (reason) => {
    if (performance.now() < quietUntil) return;
    quietUntil = performance.now() + QUIET_FOR;
    log.warn({ reason }, 'traces could not be sent');
  };
}

function logFaults(noteFault: (reason: string) => void): void {
  const silent = (): void => undefined;
  diag.setLogger(
    { error: noteFault, warn: silent, info: silent, debug: silent, verbose: silent },
    { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true },
  );
}

/** What operators ask again and again tells nothing. */
const IGNORED: ReadonlySet<string> = new Set(['/livez', '/readyz', '/metrics']);

/**
 * A span for every request and one for its handler. Names and attributes hold the route's template: addresses, and the
 * codes and keys in them, stay out of traces as they stay out of the log.
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

/** Characters of a statement that a span keeps. */
const TEXT_MAX = 2000;

/** A span for every query that belongs to a request; its text has placeholders where values were. */
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
