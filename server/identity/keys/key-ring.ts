import type { FastifyInstance } from 'fastify';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JSONWebKeySet, type JWK } from 'jose';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { JWKS_PATH } from '../../../shared/user-service.ts';
import { startError } from '../../database/errors.ts';
import type { Encryptor } from '../../encryption/encryptor.ts';
import { ACCESS_TOKEN_LIFETIME } from '../lifetimes.ts';
import type { IdentityDb } from '../schema.ts';
import { acquireAdvisoryLock } from '../store.ts';
import {
  deleteKeys,
  insertKey,
  listKeys,
  readPlainKeys,
  retireKey,
  type SigningKeyRow,
  writeEncryptedKey,
} from './store.ts';

/** Ed25519 signatures, by the name that RFC 8037 gives them. */
export const SIGNING_ALGORITHM = 'EdDSA';

type SigningKey = { kid: string; private_jwk: JWK };

export type KeyRing = {
  /** The newest key whose time to sign has come; on a clock that was set back before all of them, the one that comes first. */
  signing(): Promise<SigningKey>;
  /** Public keys of all tokens that may still be valid, and of those that are signed next (RFC 7517). */
  published(): Promise<JSONWebKeySet>;
};

const REREAD_AFTER = 60_000;
/** For so long the tokens of a key may be about after it was retired: another instance may hear of that late. */
const KEY_MEMORY = ACCESS_TOKEN_LIFETIME + 2 * REREAD_AFTER;

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

/** A private key on Ed25519 (RFC 8037 section 2). */
const checkJwk = Compile(Type.Object({ kty: Type.Literal('OKP'), d: Type.String(), x: Type.String() }));

const labelOf = (kid: string): string => `signing key ${kid}`;

function encryptKey(encryptor: Encryptor, kid: string, jwk: JWK): string {
  return encryptor.encrypt(JSON.stringify(jwk), labelOf(kid));
}

/** The private key of a row; undefined when other keys than ours have encrypted it. */
export function decryptKey(
  encryptor: Encryptor,
  { kid, sealed_jwk }: Pick<SigningKeyRow, 'kid' | 'sealed_jwk'>,
): JWK | undefined {
  const text = sealed_jwk === null ? undefined : encryptor.decrypt(sealed_jwk, labelOf(kid));
  if (text === undefined) return undefined;
  const jwk: unknown = JSON.parse(text);
  return checkJwk.Check(jwk) ? { ...jwk } : undefined;
}

/** Encrypts the signing keys that an older version has left in the database as they are. */
export async function encryptPlainKeys(db: IdentityDb, encryptor: Encryptor): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await acquireAdvisoryLock(transaction, 'signing key');
    for (const { kid, private_jwk } of await readPlainKeys(transaction)) {
      await writeEncryptedKey(transaction, kid, encryptKey(encryptor, kid, private_jwk));
    }
  });
}

/**
 * Other secrets are encrypted with the same keys, so a program that has lost them, or has not those of the other instances,
 * does not start.
 * @throws start error
 */
export async function assertKeysDecrypt(
  db: IdentityDb,
  encryptor: Encryptor,
  now: () => number,
): Promise<void> {
  const inUse = (await listKeys(db, new Date(now()))).filter((key) => key.retired_at === null);
  if (inUse.length === 0 || inUse.some((key) => decryptKey(encryptor, key) !== undefined)) return;
  throw startError(
    'The signing keys in the database are encrypted with other keys than IDENTITY_KEYS or the identity-keys file in ' +
      'DATA_DIR. Every instance needs the same ones. What to do when they are lost: docs/sign-in.md, "Keys".',
  );
}

/**
 * For so long a key is published before it signs, in milliseconds: longer than any instance and any cache of the set
 * goes without reading it again.
 */
const PUBLISHED_AHEAD = 10 * 60_000;
/** It is made earlier still, for rotation is only looked after now and then. */
const MADE_AHEAD = 2 * PUBLISHED_AHEAD;

export type Rotation = {
  now: () => number;
  encryptor: Encryptor;
  /** Milliseconds that a key signs before the next one does. */
  every: number;
};

/**
 * Makes the first signing key, the next one ahead of its time, and lets those go whose tokens have run out. Any number
 * of instances may call it at once.
 */
export async function rotateKeys(db: IdentityDb, rotation: Rotation): Promise<void> {
  const now = rotation.now();
  await db.transaction().execute(async (transaction) => {
    await acquireAdvisoryLock(transaction, 'signing key');
    await deleteKeys(transaction, new Date(now - KEY_MEMORY));
    const keys = (await listKeys(transaction, new Date(now))).filter((key) => key.retired_at === null);
    const starts = keys.map((key) => key.signs_from.getTime());
    const [newest] = starts;
    if (newest === undefined) await makeKey(transaction, rotation, now);
    else if (newest <= now && newest + rotation.every - now <= MADE_AHEAD) {
      await makeKey(transaction, rotation, Math.max(newest + rotation.every, now + PUBLISHED_AHEAD));
    }
    const current = keys.findIndex((_key, index) => (starts[index] ?? now) <= now);
    for (const key of current < 0 ? [] : keys.slice(current + 1)) {
      await retireKey(transaction, key.kid, new Date(now));
    }
  });
}

async function makeKey(db: IdentityDb, { now, encryptor }: Rotation, signsFrom: number): Promise<void> {
  const pair = await generateKeyPair(SIGNING_ALGORITHM, { crv: 'Ed25519', extractable: true });
  const publicJwk = await exportJWK(pair.publicKey);
  const kid = await calculateJwkThumbprint(publicJwk);
  const privateJwk = { ...(await exportJWK(pair.privateKey)), kid, alg: SIGNING_ALGORITHM };
  await insertKey(db, {
    kid,
    private_jwk: null,
    sealed_jwk: encryptKey(encryptor, kid, privateJwk),
    public_jwk: { ...publicJwk, kid, alg: SIGNING_ALGORITHM, use: 'sig' },
    created_at: new Date(now()),
    signs_from: new Date(signsFrom),
  });
}
