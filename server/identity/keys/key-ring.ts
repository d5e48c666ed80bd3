import type { FastifyInstance } from 'fastify';
import type { JSONWebKeySet, JWK } from 'jose';
import { JWKS_PATH } from '../../../shared/user-service.ts';
import type { Encryptor } from '../../encryption/encryptor.ts';
import { ACCESS_TOKEN_LIFETIME } from '../lifetimes.ts';
import type { IdentityDb } from '../schema.ts';
import { decryptKey } from './encrypted-key.ts';
import { listKeys, type SigningKeyRow } from './store.ts';

/** Ed25519 signatures, by the name that RFC 8037 gives them. */
export const SIGNING_ALGORITHM = 'EdDSA';

export type SigningKey = { kid: string; private_jwk: JWK };

export type KeyRing = {
  /** The newest key whose time to sign has come; on a clock that was set back before all of them, the one that comes first. */
  signing(): Promise<SigningKey>;
  /** Public keys of all tokens that may still be valid, and of those that are signed next (RFC 7517). */
  published(): Promise<JSONWebKeySet>;
};

const REREAD_AFTER = 60_000;
/** For so long the tokens of a key may be about after it was retired: another instance may hear of that late. */
export const KEY_MEMORY = ACCESS_TOKEN_LIFETIME + 2 * REREAD_AFTER;

type Context = { db: IdentityDb; encryptor: Encryptor; now: () => number };

/** The keys as the database has them, read again once a minute so that every instance follows a rotation. */
export function createKeyRing({ db, encryptor, now }: Context): KeyRing {
  let read: { at: number; keys: Promise<SigningKeyRow[]> } | undefined;
  const opened = new Map<string, SigningKey>();

  function keys(): Promise<SigningKeyRow[]> {
    if (read && Math.abs(now() - read.at) < REREAD_AFTER) return read.keys;
    const reading = listKeys(db, new Date(now() - KEY_MEMORY));
    read = { at: now(), keys: reading };
    reading.catch(() => {
      if (read?.keys === reading) read = undefined;
    });
    return reading;
  }

  function open(row: SigningKeyRow): SigningKey | undefined {
    const known = opened.get(row.kid);
    if (known) return known;
    const private_jwk = decryptKey(encryptor, row);
    if (!private_jwk) return undefined;
    const key = { kid: row.kid, private_jwk };
    // One key signs at a time: those of before are not needed again.
    opened.clear();
    opened.set(row.kid, key);
    return key;
  }

  return {
    async signing() {
      const current = (await keys()).filter((key) => key.retired_at === null);
      const due = current.filter((key) => key.signs_from.getTime() <= now());
      for (const row of due.length > 0 ? due : current.toReversed()) {
        const key = open(row);
        if (key) return key;
      }
      throw new Error('there is no signing key that can be opened');
    },
    async published() {
      return { keys: (await keys()).map((key) => key.public_jwk) };
    },
  };
}

const SHARED_FOR_SECONDS = 300;

/** The public keys that others check access tokens with, as a bare JWK set (RFC 7517 section 5). */
export function serveKeys(app: FastifyInstance, keys: KeyRing): void {
  app.get(JWKS_PATH, async (_request, reply) => {
    reply.header('cache-control', `public, max-age=${SHARED_FOR_SECONDS}`);
    return keys.published();
  });
}
