import type { FastifyInstance } from 'fastify';
import { contract } from '../../../../shared/contract.ts';
import { implement } from '../../../http/implement.ts';
import { repeatWhileListening } from '../../../http/repeat.ts';
import { SIGNED_AT_ONCE, signHead, signUnsigned } from './approvals.ts';
import { publishedKeys } from './keys.ts';
import { readLog, readLogHead } from './log-store.ts';

/** Seconds for which anybody may keep the keys. */
const KEYS_LIFETIME = 300;
/** Milliseconds until an imported plugin is signed. */
const SIGN_INTERVAL = 5000;

/** The keys, and the log with its signed head, for anybody. */
export function transparencyRoutes(app: FastifyInstance): void {
  const { db, clock: now, log, community } = app;
  const { signing, signsEarlier } = community;
  implement(app, contract.readApprovalKeys, async ({ reply }) => {
    reply.header('cache-control', `public, max-age=${KEYS_LIFETIME}`);
    reply.send(await publishedKeys(db));
    return undefined;
  });
  implement(app, contract.listLog, async ({ query }) => ({ entry_list: await readLog(db, query) }));
  implement(app, contract.readLogHead, async () => {
    const head = await readLogHead(db);
    return { ...head, signature: await signHead(db, signing, head, new Date(now())) };
  });
  if (!signsEarlier) return;
  repeatWhileListening(app, {
    every: SIGN_INTERVAL,
    log,
    failed: 'approved plugins could not be signed',
    recovered: 'approved plugins are signed again',
    async run(closing) {
      let signed = 0;
      for (let count = SIGNED_AT_ONCE; count === SIGNED_AT_ONCE && !closing.aborted; signed += count)
        count = await signUnsigned(db, signing, new Date(now()));
      if (signed > 0) log.info({ count: signed }, 'signed approved plugins');
      return undefined;
    },
  });
}
