import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import type { IdentityDb } from '../schema.ts';
import { takeTurn } from '../store.ts';
import { SIGNING_ALGORITHM } from './key-ring.ts';
import { insertKey, listKeys } from './store.ts';

/** Makes the key that signs access tokens, unless there is one. Any number of instances may call it at once. */
export async function ensureSigningKey(db: IdentityDb, now: () => number): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await takeTurn(transaction, 'signing key');
    const keys = await listKeys(transaction, new Date(now()));
    if (keys.some((key) => key.retired_at === null)) return;
    const pair = await generateKeyPair(SIGNING_ALGORITHM, { crv: 'Ed25519', extractable: true });
    const publicJwk = await exportJWK(pair.publicKey);
    const kid = await calculateJwkThumbprint(publicJwk);
    await insertKey(transaction, {
      kid,
      private_jwk: { ...(await exportJWK(pair.privateKey)), kid, alg: SIGNING_ALGORITHM },
      public_jwk: { ...publicJwk, kid, alg: SIGNING_ALGORITHM, use: 'sig' },
      created_at: new Date(now()),
    });
  });
}
