import type { FastifyInstance } from 'fastify';
import type { JSONWebKeySet, JWK } from 'jose';
import { JWKS_PATH } from '../../../shared/user-service.ts';
import { startError } from '../../database/errors.ts';
import type { Encryptor } from '../../encryption/encryptor.ts';
import { createSigningKey, openSigningKey } from '../../encryption/signing-key.ts';
import { ACCESS_TOKEN_LIFETIME } from '../lifetimes.ts';
import type { IdentityDb } from '../schema.ts';
import { acquireAdvisoryLock, insertRow } from '../store.ts';
import { deleteKeys, listKeys, retireKey, type SigningKeyRow } from './store.ts';

type SigningKey = { kid: string; private_jwk: JWK };

export type KeyRing = {
  /** The newest key that is active; the first future one if the clock was set back before all of them. */
  signing(): Promise<SigningKey>;
  /** Public keys of all tokens that may still be valid, and of the next key (RFC 7517). */
  published(): Promise<JSONWebKeySet>;
};

const CACHE_LIFETIME = 60_000;
/** How long tokens of a retired key may be valid: other instances notice the rotation late. */
const RETIRED_KEY_RETENTION = ACCESS_TOKEN_LIFETIME + 2 * CACHE_LIFETIME;

type Context = { db: IdentityDb; encryptor: Encryptor; now: () => number };

/** The keys of the database, read again every minute so that every instance follows a rotation. */
export function createKeyRing({ db, encryptor, now }: Context): KeyRing {
  let read: { at: number; keys: Promise<SigningKeyRow[]> } | undefined;
  const decrypted = new Map<string, SigningKey>();

  function keys(): Promise<SigningKeyRow[]> {
    if (read && Math.abs(now() - read.at) < CACHE_LIFETIME) return read.keys;
    const reading = listKeys(db, new Date(now() - RETIRED_KEY_RETENTION));
    read = { at: now(), keys: reading };
    reading.catch(() => {
      if (read?.keys === reading) read = undefined;
    });
    return reading;
  }

  function open(row: SigningKeyRow): SigningKey | undefined {
    const cached = decrypted.get(row.kid);
    if (cached) return cached;
    const private_jwk = openSigningKey(encryptor, row);
    if (!private_jwk) return undefined;
    const key = { kid: row.kid, private_jwk };
    // Only one key signs at a time.
    decrypted.clear();
    decrypted.set(row.kid, key);
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
      throw new Error('no signing key can be decrypted');
    },
    async published() {
      return { keys: (await keys()).map((key) => key.public_jwk) };
    },
  };
}

const CACHE_SECONDS = 300;

/** The public keys for verifying access tokens, as a bare JWK set (RFC 7517 section 5). */
export function serveKeys(app: FastifyInstance, keys: KeyRing): void {
  app.get(JWKS_PATH, { config: { isPublic: true } }, async (_request, reply) => {
    reply.header('cache-control', `public, max-age=${CACHE_SECONDS}`);
    return keys.published();
  });
}

/**
 * Other secrets are encrypted with the same keys, so an instance without the right keys must not start.
 * @throws start error
 */
export async function assertKeysDecrypt(
  db: IdentityDb,
  encryptor: Encryptor,
  now: () => number,
): Promise<void> {
  const inUse = (await listKeys(db, new Date(now()))).filter((key) => key.retired_at === null);
  if (inUse.length === 0 || inUse.some((key) => openSigningKey(encryptor, key) !== undefined)) return;
  throw startError(
    'The signing keys in the database are encrypted with other keys than IDENTITY_KEYS or the identity-keys file in ' +
      'DATA_DIR. Every instance needs the same ones. What to do when they are lost: docs/sign-in.md, "Keys".',
  );
}

/**
 * Milliseconds that a key is published before it signs: longer than any instance or HTTP cache keeps an old key set.
 */
const PUBLISH_AHEAD = 10 * 60_000;
/** Keys are created even earlier, because rotation is only checked periodically. */
const CREATE_AHEAD = 2 * PUBLISH_AHEAD;

export type Rotation = {
  now: () => number;
  encryptor: Encryptor;
  /** Milliseconds until the next key signs. */
  every: number;
};

/**
 * Creates the first signing key, or the next one ahead of time, and deletes keys whose tokens have expired. Several
 * instances may call it concurrently.
 */
export async function rotateKeys(db: IdentityDb, rotation: Rotation): Promise<void> {
  const now = rotation.now();
  await db.transaction().execute(async (transaction) => {
    await acquireAdvisoryLock(transaction, 'signing key');
    await deleteKeys(transaction, new Date(now - RETIRED_KEY_RETENTION));
    const keys = (await listKeys(transaction, new Date(now))).filter((key) => key.retired_at === null);
    const starts = keys.map((key) => key.signs_from.getTime());
    const [newest] = starts;
    if (newest === undefined) await createKey(transaction, rotation, now);
    else if (newest <= now && newest + rotation.every - now <= CREATE_AHEAD) {
      await createKey(transaction, rotation, Math.max(newest + rotation.every, now + PUBLISH_AHEAD));
    }
    const current = keys.findIndex((_key, index) => (starts[index] ?? now) <= now);
    for (const key of current < 0 ? [] : keys.slice(current + 1)) {
      await retireKey(transaction, key.kid, new Date(now));
    }
  });
}

async function createKey(db: IdentityDb, { now, encryptor }: Rotation, signsFrom: number): Promise<void> {
  await insertRow(db, 'signing_key', {
    ...(await createSigningKey(encryptor)),
    created_at: new Date(now()),
    signs_from: new Date(signsFrom),
  });
}
