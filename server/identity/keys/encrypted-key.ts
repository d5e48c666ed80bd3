import type { JWK } from 'jose';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { startError } from '../../database/start-error.ts';
import type { Encryptor } from '../../encryption/encryptor.ts';
import type { IdentityDb } from '../schema.ts';
import { acquireAdvisoryLock } from '../store.ts';
import { listKeys, readPlainKeys, type SigningKeyRow, writeEncryptedKey } from './store.ts';

/** A private key on Ed25519 (RFC 8037 section 2). */
const checkJwk = Compile(Type.Object({ kty: Type.Literal('OKP'), d: Type.String(), x: Type.String() }));

const labelOf = (kid: string): string => `signing key ${kid}`;

export function encryptKey(encryptor: Encryptor, kid: string, jwk: JWK): string {
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
