import pino, { type DestinationStream, type Logger } from 'pino';

/** Size of the write buffer, and the milliseconds after which it is flushed. */
const BUFFER_BYTES = 12 * 1024;
const FLUSH_INTERVAL = 100;
/** Writes of several processes to one pipe are atomic up to this size (pipe(7)). */
const SHARED_BUFFER_BYTES = 3 * 1024;

/** Maximum depth of logged error causes. */
const MAX_CAUSES = 5;

/**
 * The program's log: one JSON object per line on standard output, times in ISO 8601. Writes are asynchronous and
 * buffered; the buffer is flushed on exit. There is no redaction: log calls name each field, and errors are reduced to
 * known fields.
 */
export function createLog(options: {
  level: string;
  version: string;
  /** Other processes write to the same output. */
  isShared?: boolean;
  destination?: DestinationStream;
}): Logger {
  return pino(
    {
      level: options.level,
      base: { version: options.version },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: (error: unknown) => errorFields(error, MAX_CAUSES) },
    },
    options.destination ??
      pino.destination({
        dest: 1,
        sync: false,
        minLength: options.isShared ? SHARED_BUFFER_BYTES : BUFFER_BYTES,
        periodicFlush: FLUSH_INTERVAL,
      }),
  );
}

type ErrorFields = { type: string; message: string; code?: string; stack?: string; cause?: ErrorFields };

/** The logged fields of an error. Other properties may contain complete requests with their headers. */
function errorFields(error: unknown, causes: number): ErrorFields {
  if (!(error instanceof Error)) return { type: typeof error, message: 'thrown value is not an Error' };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return {
    type: error.name,
    message: error.message,
    ...(code !== undefined && { code }),
    ...(error.stack !== undefined && { stack: error.stack }),
    ...(error.cause !== undefined && causes > 0 && { cause: errorFields(error.cause, causes - 1) }),
  };
}
