import pino, { type DestinationStream, type Logger } from 'pino';

/** Names whose values never reach a log line, at the depths our lines have (secrets, tokens, codes, cookies). */
const SECRET_NAMES = [
  'access_token',
  'refresh_token',
  'password',
  'client_secret',
  'api_key',
  'authorization',
  'cookie',
];
const REDACTED_PATHS = SECRET_NAMES.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);

/** The program's log: one JSON object a line on standard output, times in ISO 8601. */
export function createLog(options: {
  level: string;
  version: string;
  destination?: DestinationStream;
}): Logger {
  return pino(
    {
      level: options.level,
      base: { version: options.version },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: REDACTED_PATHS, censor: '[redacted]' },
    },
    options.destination ?? pino.destination(1),
  );
}

/** A path fit for the log: without its query, which may hold a code or what a person searches for. */
export function pathWithoutQuery(url: string): string {
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
}
