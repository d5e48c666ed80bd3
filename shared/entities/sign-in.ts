import { type Static, Type } from 'typebox';
import { PASSWORD_MAX } from '../constants.ts';

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

/** A password as it was typed, one that somebody has or wants. */
export const TypedPassword = Type.String({ minLength: 1, maxLength: PASSWORD_MAX });

/** Six digits of an authenticator app or a recovery code, as they were typed. */
export const TypedCode = Type.String({ minLength: 1, maxLength: 64 });

/** What was typed to prove it, one of both. */
export const typedProof = {
  password: Type.Optional(TypedPassword),
  code: Type.Optional(TypedCode),
};
const TypedProofSchema = Type.Object(typedProof);
export type TypedProof = Static<typeof TypedProofSchema>;

const Name = Type.String({ pattern: '^[A-Za-z0-9._-]{1,64}$' });

/** Where a person comes from, as the links of a document service say it (specification section 2, "Login page"). */
export const loginSource = {
  /** What kind of place it is. */
  ux_from: Type.Optional(Name),
  /** Which one. */
  login_source_id: Type.Optional(Name),
  /** What it calls itself. */
  app_name: Type.Optional(Type.String({ minLength: 1, maxLength: 60 })),
  /** The person has an account here already, to which that of the document service is to be bound. */
  bind_other: Type.Optional(Type.Literal('bind')),
};

const LoginSourceSchema = Type.Object(loginSource);
export type LoginSource = Static<typeof LoginSourceSchema>;
