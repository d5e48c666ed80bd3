import { type Static, Type } from 'typebox';
import { TypedCode } from '../routes/second-factor.ts';

/**
 * How somebody signed in proves again who they are: `code` of the second factor, `password`, `none` right after a sign-in,
 * `sign_in` where only a new sign-in proves it.
 */
export const Proof = Type.Union([
  Type.Literal('code'),
  Type.Literal('password'),
  Type.Literal('none'),
  Type.Literal('sign_in'),
]);
export type Proof = Static<typeof Proof>;

/** What was typed to prove it, one of both. */
export const typedProof = {
  password: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  code: Type.Optional(TypedCode),
};
const TypedProofSchema = Type.Object(typedProof);
export type TypedProof = Static<typeof TypedProofSchema>;
