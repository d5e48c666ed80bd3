import { type Static, Type } from 'typebox';

/** A secret in the block itself, or the file that holds it. */
export const Secret = Type.Union([
  Type.String({ minLength: 1 }),
  Type.Object({ file: Type.String({ minLength: 1 }) }, { additionalProperties: false }),
]);
export type Secret = Static<typeof Secret>;

export const HttpUrl = Type.String({ pattern: '^https?://[^\\s/?#]+[^\\s#]*$', maxLength: 2048 });

export const Label = Type.String({ minLength: 1, maxLength: 60 });
const RoleName = Type.Enum(['user', 'admin', 'super_admin']);

export const RoleMap = Type.Record(Type.String({ minLength: 1 }), RoleName);
export type RoleMap = Static<typeof RoleMap>;

/** Names of the claims or attributes that fill an account. */
export const FieldNames = Type.Object(
  {
    subject: Type.Optional(Label),
    user_name: Type.Optional(Label),
    email: Type.Optional(Label),
    nick_name: Type.Optional(Label),
    mobile: Type.Optional(Label),
    department: Type.Optional(Label),
    avatar_url: Type.Optional(Label),
    groups: Type.Optional(Label),
  },
  { additionalProperties: false },
);
export type FieldNames = Static<typeof FieldNames>;

/** What a block of every method of another directory may say. */
export const externalFields = {
  /** Names the block in addresses and in the memory of who came by it: it must not change later. */
  source: Type.Optional(Type.String({ pattern: '^[a-z][a-z0-9-]{0,31}$' })),
  /** What the sign-in page calls it. */
  label: Type.Optional(Label),
  /** Role by group. With a map, every sign-in sets the role: the highest of the groups', else `user`. */
  roles: Type.Optional(RoleMap),
  /** False lets only those in who have an account already. */
  creates_accounts: Type.Optional(Type.Boolean()),
  /** The enterprise that everybody of this directory belongs to. */
  e_id: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  /** What that enterprise is called. */
  e_name: Type.Optional(Label),
  /** Where sign-out leads for people who came by it: 0 nowhere, 1 to `logout_url` (specification section 3). */
  logout_mode: Type.Optional(Type.Union([Type.Literal(0), Type.Literal(1)])),
  logout_url: Type.Optional(HttpUrl),
};
