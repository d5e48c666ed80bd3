import { setTimeout as delay } from 'node:timers/promises';
import { DiagLogLevel, diag } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import type { FastifyBaseLogger } from 'fastify';
import { trustIn } from '../http/outgoing.ts';
import { traceQueries } from './queries.ts';
import { traceRequests } from './requests.ts';

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
