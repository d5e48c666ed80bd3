import type { JWK } from 'jose';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { startError } from '../../database/start-error.ts';
import type { Sealer } from '../../sealing/seal.ts';
import type { IdentityDb } from '../schema.ts';
import { takeTurn } from '../store.ts';
import { listKeys, readPlainKeys, type SigningKeyRow, writeSealedKey } from './store.ts';

/** A private key on Ed25519 (RFC 8037 section 2). */
const checkJwk = Compile(Type.Object({ kty: Type.Literal('OKP'), d: Type.String(), x: Type.String() }));

const labelOf = (kid: string): string => `signing key ${kid}`;

export function sealKey(sealed: Sealer, kid: string, jwk: JWK): string {
  return sealed.seal(JSON.stringify(jwk), labelOf(kid));
}

/** The private key of a row; undefined when other keys than ours have sealed it. */
export function openKey(
  sealed: Sealer,
  { kid, sealed_jwk }: Pick<SigningKeyRow, 'kid' | 'sealed_jwk'>,
): JWK | undefined {
  const text = sealed_jwk === null ? undefined : sealed.open(sealed_jwk, labelOf(kid));
  if (text === undefined) return undefined;
  const jwk: unknown = JSON.parse(text);
  return checkJwk.Check(jwk) ? { ...jwk } : undefined;
}

/** Seals the signing keys that an older version has left in the database as they are. */
export async function sealPlainKeys(db: IdentityDb, sealed: Sealer): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await takeTurn(transaction, 'signing key');
    for (const { kid, private_jwk } of await readPlainKeys(transaction)) {
      await writeSealedKey(transaction, kid, sealKey(sealed, kid, private_jwk));
    }
  });
}

/**
 * Other secrets are sealed with the same keys, so a program that has lost them, or has not those of the other instances,
 * does not start.
 * @throws start error
 */
export async function assertKeysOpen(db: IdentityDb, sealed: Sealer, now: () => number): Promise<void> {
  const inUse = (await listKeys(db, new Date(now()))).filter((key) => key.retired_at === null);
  if (inUse.length === 0 || inUse.some((key) => openKey(sealed, key) !== undefined)) return;
  throw startError(
    'The signing keys in the database are sealed with other keys than IDENTITY_KEYS or the identity-keys file in ' +
      'DATA_DIR. Every instance needs the same ones. What to do when they are lost: docs/sign-in.md, "Keys".',
  );
}
