import pino, { type DestinationStream, type Logger } from 'pino';

/** Bytes of lines that are written together, and the milliseconds after which fewer are written all the same. */
const TOGETHER = 12 * 1024;
const FLUSH_EVERY = 100;
/** Lines of several processes do not get mixed up as long as what is written at once is this short (pipe(7)). */
const TOGETHER_SHARED = 3 * 1024;

/** How deep the causes of an error are followed. */
const CAUSES = 5;

/**
 * The program's log: one JSON object a line on standard output, times in ISO 8601. Lines are written beside the work and
 * a few at a time; when the program exits, what is left is written first. Nothing is searched for secrets line by line:
 * who logs names each field, and errors are cut down to what tells of the fault.
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
      timestamp: isoTimes(),
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: (error: unknown) => errorFields(error, CAUSES) },
    },
    options.destination ??
      pino.destination({
        dest: 1,
        sync: false,
        minLength: options.isShared ? TOGETHER_SHARED : TOGETHER,
        periodicFlush: FLUSH_EVERY,
      }),
  );
}

/** The time as pino writes it, put into words once for all lines of a millisecond. */
function isoTimes(): () => string {
  let last = 0;
  let words = '';
  return () => {
    const now = Date.now();
    if (now !== last) {
      last = now;
      words = `,"time":"${new Date(now).toISOString()}"`;
    }
    return words;
  };
}

type ErrorFields = { type: string; message: string; code?: string; stack?: string; cause?: ErrorFields };

/**
 * What the log tells of an error: never its other properties, among which clients of services keep whole requests, with
 * their headers.
 */
function errorFields(error: unknown, causes: number): ErrorFields {
  if (!(error instanceof Error)) return { type: typeof error, message: 'no error was thrown, but a value' };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return {
    type: error.name,
    message: error.message,
    ...(code !== undefined && { code }),
    ...(error.stack !== undefined && { stack: error.stack }),
    ...(error.cause !== undefined && causes > 0 && { cause: errorFields(error.cause, causes - 1) }),
  };
}
