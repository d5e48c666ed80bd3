import { type Static, Type } from 'typebox';
import { fallbackField, Nullable, REQUIRED } from './base.ts';

/** User info (R 8.1) without tokens, for browsers. */
export const UserInfo = Type.Object({
  user_id: Type.Integer(REQUIRED),
  user_name: Type.String(),
  nick_name: Type.String(),
  email: Type.String(),
  mobile: Type.String(),
  sex: Type.Integer(),
  birthday: Type.String(),
  channel: Type.String(),
  tencent_docs: Type.Boolean(),
  avatar_url: Type.String(),
  created_at: Type.String(),
  department: Type.String(),
  e_id: Type.Integer(),
  is_administrator: Type.Boolean(),
  is_owner: Type.Boolean(),
  staff_status: Type.Integer(),
  account_id: Type.Integer(),
  identification: Type.String(),
});
export type UserInfo = Static<typeof UserInfo>;

/** 0 general user, 1 super administrator, 2 general administrator. */
export const Role = Type.Union([Type.Literal(0), Type.Literal(1), Type.Literal(2)]);
export type Role = Static<typeof Role>;

/** Data of GET /api/cmt/manager/verify. */
export const VerifiedUser = Type.Object({
  user_id: Type.Integer(),
  nick_name: Type.String(),
  avatar_url: Type.String(),
  role: Role,
  /** If an external service leaves it out, administrators may (R 2.3). */
  may_publish: Type.Boolean(fallbackField('role')),
});

export const LoginMethod = Type.Union([
  Type.Literal('local'),
  Type.Literal('ldap'),
  Type.Literal('oauth2'),
  Type.Literal('oidc'),
  Type.Literal('saml'),
  Type.Literal('custom_sso'),
]);
export type LoginMethod = Static<typeof LoginMethod>;

/** The session for the page, without tokens. */
export const SessionView = Type.Object({
  signed_in: Type.Boolean(),
  user: Nullable(UserInfo),
  role: Nullable(Role),
  login_method: Nullable(LoginMethod),
  /** Latest end of the session in milliseconds since 1970. */
  expires_at: Nullable(Type.Integer()),
  /** Of a session: milliseconds until the page asks again, so that the token is new; null if it does not expire. */
  refresh_in: Type.Optional(Nullable(Type.Integer())),
});
export type SessionView = Static<typeof SessionView>;

/** Public data of a user. */
export const PublicUser = Type.Object({
  user_id: Type.Integer(),
  nick_name: Type.String(),
  avatar_url: Type.String(),
  /** The account was deleted; its name and picture are empty. */
  is_deleted: Type.Optional(Type.Literal(true)),
  /** Of a publisher: the last part of the address of their page. */
  handle: Type.Optional(Type.String()),
  /** Of a verified publisher: the domain they have proved, or empty by decision of an administrator. */
  verified: Type.Optional(Type.String()),
});
export type PublicUser = Static<typeof PublicUser>;
