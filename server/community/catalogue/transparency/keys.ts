import { createPublicKey, type KeyObject } from 'node:crypto';
import { exportJWK, importJWK, type JSONWebKeySet } from 'jose';
import type { Encryptor } from '../../../encryption/encryptor.ts';
import {
  createSigningKey,
  openSigningKey,
  SIGNING_ALGORITHM,
  toPublicJwk,
} from '../../../encryption/signing-key.ts';
import type { Db } from '../../schema.ts';
import { insertKey, listKeys, lockKeys, retireKeys } from './key-store.ts';

export type ApprovalKeySettings = {
  encryptor: Encryptor;
  /** The key of the deployment (setting APPROVAL_KEY), in place of those that the database keeps. */
  given?: KeyObject | undefined;
};

type SigningKey = { kid: string; key: Awaited<ReturnType<typeof importJWK>> | KeyObject };

/**
 * The key that signs: the given one, or else the newest one of the database that can be decrypted here and is not retired. The
 * first one is made now. It is read each time, so that every instance follows a rotation at once.
 */
export async function signingKey(
  trx: Db,
  { encryptor, given }: ApprovalKeySettings,
  at: Date,
): Promise<SigningKey> {
  if (given) {
    const public_jwk = await toPublicJwk(await exportJWK(createPublicKey(given)));
    await insertKey(trx, { kid: public_jwk.kid, sealed_jwk: null, public_jwk, created_at: at });
    return { kid: public_jwk.kid, key: given };
  }
  const found = await openNewest(trx, encryptor);
  if (found) return found;
  await lockKeys(trx);
  return (await openNewest(trx, encryptor)) ?? addKey(trx, encryptor, at);
}

async function openNewest(db: Db, encryptor: Encryptor): Promise<SigningKey | undefined> {
  for (const { kid, sealed_jwk, retired_at } of await listKeys(db)) {
    if (sealed_jwk === null || retired_at !== null) continue;
    const jwk = openSigningKey(encryptor, { kid, sealed_jwk });
    if (jwk) return { kid, key: await importJWK({ ...jwk, crv: 'Ed25519' }, SIGNING_ALGORITHM) };
  }
  return undefined;
}

async function addKey(trx: Db, encryptor: Encryptor, at: Date): Promise<SigningKey> {
  const created = await createSigningKey(encryptor);
  await insertKey(trx, { ...created, created_at: at });
  const opened = await openNewest(trx, encryptor);
  if (!opened) throw new Error('the new approval key cannot be decrypted');
  return opened;
}

/** Makes a new key, with which everything is signed from now on. @returns its id */
export async function rotateApprovalKey(db: Db, encryptor: Encryptor, at: Date): Promise<string> {
  return db.transaction().execute(async (trx) => {
    await lockKeys(trx);
    await retireKeys(trx, at);
    return (await addKey(trx, encryptor, at)).kid;
  });
}

/** Public keys of all signatures that there are, newest first. */
export async function publishedKeys(db: Db): Promise<JSONWebKeySet> {
  return { keys: (await listKeys(db)).map(({ public_jwk }) => public_jwk) };
}
