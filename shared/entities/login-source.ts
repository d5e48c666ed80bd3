import { type Static, Type } from 'typebox';

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
