import type { JSONWebKeySet } from 'jose';
import { ACCESS_TOKEN_LIFETIME } from '../lifetimes.ts';
import type { IdentityDb } from '../schema.ts';
import { listKeys, type SigningKey } from './store.ts';

/** Ed25519 signatures, by the name that RFC 8037 gives them. */
export const SIGNING_ALGORITHM = 'EdDSA';

export type KeyRing = {
  /** The newest key in use. */
  signing(): Promise<SigningKey>;
  /** Public keys of all tokens that may still be valid (RFC 7517). */
  published(): Promise<JSONWebKeySet>;
};

const REREAD_AFTER = 60_000;

/** The keys as the database has them, read again once a minute so that every instance follows a rotation. */
export function createKeyRing(db: IdentityDb, now: () => number): KeyRing {
  let read: { at: number; keys: Promise<SigningKey[]> } | undefined;

  function keys(): Promise<SigningKey[]> {
    if (read && now() - read.at < REREAD_AFTER) return read.keys;
    const reading = listKeys(db, new Date(now() - ACCESS_TOKEN_LIFETIME));
    read = { at: now(), keys: reading };
    reading.catch(() => {
      if (read?.keys === reading) read = undefined;
    });
    return reading;
  }

  return {
    async signing() {
      const inUse = (await keys()).find((key) => key.retired_at === null);
      if (!inUse) throw new Error('there is no signing key; the service was not prepared');
      return inUse;
    },
    async published() {
      return { keys: (await keys()).map((key) => key.public_jwk) };
    },
  };
}
