import type { FastifyBaseLogger } from 'fastify';
import { createRemoteJWKSet, type JWTVerifyGetKey } from 'jose';
import { CONNECT_TIMEOUT } from '../../../shared/constants.ts';

/** Milliseconds after which the keys are read anew, and between two tries when that fails. */
const FRESH = 10 * 60_000;
const TRY_AGAIN_AFTER = 10_000;

/**
 * The keys that identity publishes. They are read with the first token, with one whose key is not known, and every ten
 * minutes behind the back of who calls: an identity that is away or slow says nothing about tokens it has signed.
 */
export function openPublicKeys(
  url: string,
  now: () => number,
  log: Pick<FastifyBaseLogger, 'warn'>,
): JWTVerifyGetKey {
  const keys = createRemoteJWKSet(new URL(url), {
    timeoutDuration: CONNECT_TIMEOUT,
    cacheMaxAge: Number.POSITIVE_INFINITY,
  });
  let readNext = now() + FRESH;
  let isOld = false;

  async function readAnew(): Promise<void> {
    readNext = now() + TRY_AGAIN_AFTER;
    try {
      await keys.reload();
      readNext = now() + FRESH;
      isOld = false;
    } catch (error) {
      if (!isOld)
        log.warn({ err: error }, 'the keys of the sign-in service could not be read anew; those known hold');
      isOld = true;
    }
  }
  return (header, token) => {
    const at = now();
    // A clock that was set back must not put it off.
    if (at >= readNext || at < readNext - FRESH) void readAnew();
    return keys(header, token);
  };
}
