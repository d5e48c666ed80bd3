import { createRemoteJWKSet, type JWTVerifyGetKey } from 'jose';
import { CONNECT_TIMEOUT } from '../../../shared/constants.ts';

/** Milliseconds after which the keys are read anew, and between two tries when that fails. */
const FRESH = 10 * 60_000;
const TRY_AGAIN_AFTER = 10_000;

/**
 * The keys that identity publishes. They are read with the first token, with one whose key is not known, and every ten
 * minutes behind the back of who calls: an identity that is away or slow says nothing about tokens it has signed.
 */
export function openPublicKeys(url: string, now: () => number): JWTVerifyGetKey {
  const keys = createRemoteJWKSet(new URL(url), {
    timeoutDuration: CONNECT_TIMEOUT,
    cacheMaxAge: Number.POSITIVE_INFINITY,
  });
  let readNext = now() + FRESH;

  async function readAnew(): Promise<void> {
    readNext = now() + TRY_AGAIN_AFTER;
    try {
      await keys.reload();
      readNext = now() + FRESH;
    } catch {
      // Those that are known hold; who has none of them learns why from his own call.
    }
  }
  return (header, token) => {
    const at = now();
    // A clock that was set back must not put it off.
    if (at >= readNext || at < readNext - FRESH) void readAnew();
    return keys(header, token);
  };
}
