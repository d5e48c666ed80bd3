import type { Logger } from 'pino';

/** What the database layer needs of a logger; every pino and Fastify logger fits. */
export type Log = Pick<Logger, 'info' | 'warn' | 'error'>;
