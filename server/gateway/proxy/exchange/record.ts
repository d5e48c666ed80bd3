import type { AppError } from '../../../http/errors.ts';
import { recordOf, type UpstreamCall } from '../../log.ts';
import { type Upstream, upstreamError } from '../../upstream.ts';
import type { ProxyCall } from '../access.ts';
import { TOKEN_REJECTED } from './refresh.ts';

/** Records an attempt for the log line of its request and the metrics. */
export function recordAttempt(upstream: Upstream, { request, reply: { raw } }: ProxyCall) {
  const record = recordOf(request);
  const note: UpstreamCall = { name: upstream.name, attempts: (record.upstream?.attempts ?? 0) + 1 };
  record.upstream = note;
  const observe = upstream.watch();
  const started = performance.now();
  const elapsed = (): number => Math.round(performance.now() - started);
  return {
    status: () => note.status,
    responded(status: number): void {
      note.status = status;
      note.first_byte_ms = elapsed();
    },
    ended(): void {
      note.total_ms = elapsed();
      observe(note.status);
    },
    /** @returns the error for the client */
    failed(cause: Error): AppError {
      const error = upstreamError(cause);
      note.total_ms = elapsed();
      observe(cause === TOKEN_REJECTED ? note.status : undefined);
      if (raw.headersSent && !raw.destroyed) {
        note.cut = true;
        record.code = error.code;
      }
      return error;
    },
  };
}
