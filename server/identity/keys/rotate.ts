import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import type { Encryptor } from '../../encryption/encryptor.ts';
import type { IdentityDb } from '../schema.ts';
import { acquireAdvisoryLock } from '../store.ts';
import { encryptKey } from './encrypted-key.ts';
import { KEY_MEMORY, SIGNING_ALGORITHM } from './key-ring.ts';
import { deleteKeys, insertKey, listKeys, retireKey } from './store.ts';

/**
 * For so long a key is published before it signs, in milliseconds: longer than any instance and any cache of the set
 * goes without reading it again.
 */
export const PUBLISHED_AHEAD = 10 * 60_000;
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
