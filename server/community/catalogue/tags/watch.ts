import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { repeatWhileListening } from '../../../http/repeat.ts';
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
    const has = await hasTags(db);
    if (has === last) return;
    last = has;
    if (!has) log.warn('there are no tags to publish under or to browse by: add some in the backstage');
    onTags?.(has);
  };
  // A failure is logged by the next look.
  app.addHook('onReady', () => check().catch(() => undefined));
  repeatWhileListening(app, {
    every: INTERVAL,
    first: INTERVAL,
    log,
    failed: 'tags could not be counted',
    recovered: 'tags are counted again',
    async run() {
      await check();
    },
  });
}
