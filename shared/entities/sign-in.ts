import { type Static, Type } from 'typebox';
import { PASSWORD_MAX } from '../constants.ts';

/**
 * How a signed-in user reauthenticates: `code` of the second factor, `password`, `none` right after a sign-in,
 * `sign_in` if only a new sign-in is possible.
 */
export const Proof = Type.Union([
  Type.Literal('code'),
  Type.Literal('password'),
  Type.Literal('none'),
  Type.Literal('sign_in'),
]);
export type Proof = Static<typeof Proof>;

/** A typed password, current or new. */
export const TypedPassword = Type.String({ minLength: 1, maxLength: PASSWORD_MAX });

/** A typed code of an authenticator app (six digits), or a recovery code. */
export const TypedCode = Type.String({ minLength: 1, maxLength: 64 });

/** Typed credentials, one of the two. */
export const typedProof = {
  password: Type.Optional(TypedPassword),
  code: Type.Optional(TypedCode),
};
export const TypedProof = Type.Object(typedProof);
export type TypedProof = Static<typeof TypedProof>;

const Name = Type.String({ pattern: '^[A-Za-z0-9._-]{1,64}$' });

/** Origin of a user in links of a document service (R 2.19). */
export const loginSource = {
  /** Kind of the origin. */
  ux_from: Type.Optional(Name),
  /** Its id. */
  login_source_id: Type.Optional(Name),
  /** Its name. */
  app_name: Type.Optional(Type.String({ minLength: 1, maxLength: 60 })),
  /** The user has an account here, to which the account of the document service should be bound. */
  bind_other: Type.Optional(Type.Literal('bind')),
};

const LoginSourceSchema = Type.Object(loginSource);
export type LoginSource = Static<typeof LoginSourceSchema>;
