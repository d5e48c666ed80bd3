import type { FastifyBaseLogger } from 'fastify';
import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose';
import { CONNECT_TIMEOUT } from '../../../shared/constants.ts';
import { createOutgoingFetch } from '../../http/outgoing.ts';

/** Milliseconds for which keys are used unread, and after which they are tried again that could not be read. */
const FRESH = 10 * 60_000;
const TRY_AGAIN_AFTER = 10_000;

/** Where identity publishes its keys; `ca` in PEM: a private authority that vouches for it. */
export type KeysAt = { url: string; ca?: string | undefined };

export type PublicKeys = {
  keyOf: JWTVerifyGetKey;
  /** Another number each time the keys have been read again: one of them may have been withdrawn. */
  edition(): number;
};

/**
 * The keys that identity publishes. They are read with the first token, with one whose key is not known, and every ten
 * minutes behind the back of who calls: an identity that is away or slow says nothing about tokens it has signed.
 */
export function openPublicKeys(
  { url, ca }: KeysAt,
  now: () => number,
  log: Pick<FastifyBaseLogger, 'warn'>,
): PublicKeys {
  const keys = createRemoteJWKSet(new URL(url), {
    [customFetch]: createOutgoingFetch({ ca, timeout: CONNECT_TIMEOUT }),
    timeoutDuration: CONNECT_TIMEOUT,
    cacheMaxAge: Number.POSITIVE_INFINITY,
  });
  let readNext = now() + FRESH;
  let edition = 0;
  let isOld = false;

  async function refreshState(): Promise<void> {
    readNext = now() + TRY_AGAIN_AFTER;
    try {
      await keys.reload();
      readNext = now() + FRESH;
      edition += 1;
      isOld = false;
    } catch (error) {
      if (!isOld)
        log.warn(
          { err: error },
          'the keys of the sign-in service could not be refreshed; the known ones stay valid',
        );
      isOld = true;
    }
  }
  const readInTime = (): void => {
    const at = now();
    // A clock that was set back must not put it off.
    if (at >= readNext || at < readNext - FRESH) void refreshState();
  };
  return {
    keyOf: (header, token) => {
      readInTime();
      return keys(header, token);
    },
    edition: () => {
      readInTime();
      return edition;
    },
  };
}
