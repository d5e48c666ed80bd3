type Write = { (message: string): void; (fields: object, message: string): void };

/** Where the server's events are written; a pino logger is one. */
export type Log = { info: Write; warn: Write; error: Write };
