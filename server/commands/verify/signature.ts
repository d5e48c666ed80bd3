import { createLocalJWKSet, errors, type JSONWebKeySet, jwtVerify } from 'jose';
import { type Static, type TSchema, Type } from 'typebox';
import { Check } from 'typebox/value';

/** Public keys as a site publishes them (RFC 7517). */
export const jwksSchema = Type.Object({
  keys: Type.Array(
    Type.Object({
      kty: Type.Literal('OKP'),
      crv: Type.Literal('Ed25519'),
      x: Type.String(),
      kid: Type.String(),
    }),
  ),
});

type Checked<S extends TSchema> = { claims: Static<S> } | { flaw: string };

/** Verifies a signature with public keys. @returns its claims, or what is wrong with it */
export async function checkSignature<S extends TSchema>(
  signature: string,
  { keys, typ, schema }: { keys: JSONWebKeySet; typ: string; schema: S },
): Promise<Checked<S>> {
  try {
    const { payload } = await jwtVerify(signature, createLocalJWKSet(keys), { typ, algorithms: ['EdDSA'] });
    return Check(schema, payload) ? { claims: payload } : { flaw: 'says something else' };
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey) return { flaw: 'was made with an unknown key' };
    if (error instanceof errors.JOSEError) return { flaw: 'is wrong' };
    throw error;
  }
}
