import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Db } from '../schema.ts';
import { tellOfEndingTokens } from './notices.ts';

const ENDING_TOKENS_EVERY = 60_000;

/** Tells owners of tokens that are about to end, while the app listens. */
export function tellRegularly(
  app: FastifyInstance,
  { db, now, log }: { db: Db; now: () => number; log: Pick<FastifyBaseLogger, 'warn'> },
): void {
  let telling = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const run = (): void => {
    telling = telling.then(async () => {
      await tellOfEndingTokens(db, now).catch((error: unknown) =>
        log.warn({ err: error }, 'owners of publish tokens could not be told of their end'),
      );
    });
  };
  app.addHook('onListen', async () => {
    run();
    timer = setInterval(run, ENDING_TOKENS_EVERY).unref();
  });
  app.addHook('onClose', async () => {
    clearInterval(timer);
    await telling;
  });
}
