import { type Static, Type } from 'typebox';

/** Accounts whose passwords we keep ourselves. */
export const LocalSettings = Type.Object(
  {
    method: Type.Literal('local'),
    /** Whether visitors may make an account. */
    sign_up: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);
export type LocalSettings = Static<typeof LocalSettings>;
