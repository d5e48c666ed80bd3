import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Db } from '../../schema.ts';
import { hasTags } from './store.ts';

/** Milliseconds between two looks. */
const INTERVAL = 5000;

/**
 * Checks at the start and every few seconds for visible tags, and warns without any: publishers then have nothing to choose,
 * which nobody else would notice.
 */
export function watchTags(
  app: FastifyInstance,
  { db, log, onTags }: { db: Db; log: FastifyBaseLogger; onTags?: ((has: boolean) => void) | undefined },
): void {
  let last: boolean | undefined;
  const check = async () => {
    const has = await hasTags(db).catch(() => last);
    if (has === undefined || has === last) return;
    last = has;
    if (!has) log.warn('there are no tags to publish under or to browse by: add some in the backstage');
    onTags?.(has);
  };
  let checking = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  app.addHook('onReady', async () => {
    checking = check();
    await checking;
    timer = setInterval(() => {
      checking = checking.then(check);
    }, INTERVAL).unref();
  });
  app.addHook('onClose', async () => {
    clearInterval(timer);
    await checking;
  });
}
