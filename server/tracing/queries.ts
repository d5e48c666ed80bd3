import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { context, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';
import type { LogEvent } from 'kysely';
import { QUERY_CHANNEL } from '../database/pool.ts';

/** Characters of a statement that a span keeps. */
const TEXT_MAX = 2000;

/** A span for every query that belongs to a request; its text has placeholders where values were. */
export function traceQueries(tracer: Tracer): () => void {
  const onQuery = (event: unknown): void => {
    if (isLogEvent(event)) describe(tracer, event);
  };
  subscribe(QUERY_CHANNEL, onQuery);
  return () => void unsubscribe(QUERY_CHANNEL, onQuery);
}

function isLogEvent(event: unknown): event is LogEvent {
  return typeof event === 'object' && event !== null && 'queryDurationMillis' in event;
}

function describe(tracer: Tracer, { level, query, queryDurationMillis }: LogEvent): void {
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
