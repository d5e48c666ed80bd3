import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose';
import { type Static, Type } from 'typebox';
import { Check } from 'typebox/value';
import type { Encryptor } from './encryptor.ts';

/** Ed25519 signatures (RFC 8037). */
export const SIGNING_ALGORITHM = 'EdDSA';

/** A key as the database keeps it: the private part encrypted, and named by its thumbprint (RFC 7638). */
export type StoredSigningKey = { kid: string; sealed_jwk: string; public_jwk: JWK };

/** A private key on Ed25519 (RFC 8037 section 2). */
const PrivateJwk = Type.Object({ kty: Type.Literal('OKP'), d: Type.String(), x: Type.String() });

const labelOf = (kid: string): string => `signing key ${kid}`;

/** Makes a key pair on Ed25519. */
export async function createSigningKey(encryptor: Encryptor): Promise<StoredSigningKey> {
  const pair = await generateKeyPair(SIGNING_ALGORITHM, { crv: 'Ed25519', extractable: true });
  const public_jwk = await toPublicJwk(await exportJWK(pair.publicKey));
  const { kid } = public_jwk;
  const privateJwk = { ...(await exportJWK(pair.privateKey)), kid, alg: SIGNING_ALGORITHM };
  return { kid, sealed_jwk: encryptor.encrypt(JSON.stringify(privateJwk), labelOf(kid)), public_jwk };
}

/** A public key as it is published (RFC 7517). */
export async function toPublicJwk(jwk: JWK): Promise<JWK & { kid: string }> {
  return { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: SIGNING_ALGORITHM, use: 'sig' };
}

/** The private key; undefined when it was encrypted with other keys. */
export function openSigningKey(
  encryptor: Encryptor,
  { kid, sealed_jwk }: Pick<StoredSigningKey, 'kid' | 'sealed_jwk'>,
): Static<typeof PrivateJwk> | undefined {
  const text = encryptor.decrypt(sealed_jwk, labelOf(kid));
  const jwk: unknown = text === undefined ? undefined : JSON.parse(text);
  return Check(PrivateJwk, jwk) ? jwk : undefined;
}
