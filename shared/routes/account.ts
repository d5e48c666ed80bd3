import { type Static, Type } from 'typebox';
import { Id, LanguageName, Nothing, Nullable, Timestamp } from '../entities/base.ts';
import { Proof, typedProof } from '../entities/sign-in.ts';
import { SessionView } from '../entities/user.ts';
import { route } from '../route.ts';

/** What happens to published plugins when the account of their publisher is deleted. */
export const PluginsAfter = Type.Union([Type.Literal('keep'), Type.Literal('remove')]);
export type PluginsAfter = Static<typeof PluginsAfter>;

/** Conditions for deleting the user's account, from the identity service. */
export const OwnDeletion = Type.Object({
  proof: Proof,
  /** Milliseconds in which a sign-in cancels the deletion; 0 for an immediate deletion. */
  delay: Type.Integer({ minimum: 0 }),
  /** Why the account cannot be deleted now. */
  refused_by: Nullable(Type.Union([Type.Literal('LAST_SUPER_ADMIN'), Type.Literal('LAST_OWNER')])),
  session_count: Type.Integer(),
  linked_count: Type.Integer(),
});
export type OwnDeletion = Static<typeof OwnDeletion>;

/** Data of an account in the marketplace. */
export const Holdings = Type.Object({
  /** Public plugins: the names of the latest 50. */
  published: Type.Array(Type.Object({ plugin_key: Type.String(), name: Type.String() })),
  published_count: Type.Integer(),
  /** Plugins that were never published. */
  unpublished_count: Type.Integer(),
  /** Pending versions and changes. */
  waiting_count: Type.Integer(),
  install_count: Type.Integer(),
  like_count: Type.Integer(),
  report_count: Type.Integer(),
  token_count: Type.Integer(),
});
export type Holdings = Static<typeof Holdings>;

/** The user's own account; only exists with our own identity service. */
export const accountRoutes = {
  changeProfile: route({
    service: 'gateway',
    method: 'PUT',
    path: '/api/auth/profile',
    access: 'user',
    rateLimit: 'account',
    summary: 'Change the own name or picture; the session is updated immediately',
    body: Type.Object({
      nick_name: Type.Optional(Type.String({ maxLength: 200 })),
      /** An address from `uploadAvatar`; empty for no picture. */
      avatar_url: Type.Optional(Type.String({ maxLength: 200 })),
    }),
    data: SessionView,
  }),
  uploadAvatar: route({
    service: 'community',
    method: 'POST',
    path: '/api/cmt/user/avatar',
    access: 'user',
    ownAccounts: true,
    rateLimit: 'upload',
    summary: 'Upload a profile picture; it is shown after a change of the profile',
    multipart: true,
    body: Type.Object({}),
    data: Type.Object({ avatar_url: Type.String() }),
  }),
  askNewAddress: route({
    service: 'identity',
    method: 'POST',
    path: '/user/account/email/change',
    access: 'user',
    rateLimit: 'sign-in',
    summary: 'Mail a link to a new address; opening it while signed in sets the address',
    body: Type.Object({
      email: Type.String({ minLength: 1, maxLength: 254 }),
      language: LanguageName,
      ...typedProof,
    }),
    data: Nothing,
  }),
  readDeletion: route({
    service: 'identity',
    method: 'GET',
    path: '/user/account/deletion',
    access: 'user',
    summary: 'Conditions for deleting the own account',
    data: OwnDeletion,
  }),
  readHoldings: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/user/holdings',
    access: 'user',
    ownAccounts: true,
    summary: 'Data in the marketplace that the deletion of the account affects',
    data: Holdings,
  }),
  deleteAccount: route({
    service: 'identity',
    method: 'POST',
    path: '/user/account/delete',
    access: 'user',
    rateLimit: 'sign-in',
    summary:
      'Delete the own account: ends all sessions now, and deletes the account after the time in which it can be cancelled',
    body: Type.Object({
      /** The user's name, typed as a confirmation. */
      nick_name: Type.String({ maxLength: 200 }),
      plugins: PluginsAfter,
      language: LanguageName,
      ...typedProof,
    }),
    data: Type.Object({
      /** Until when a sign-in cancels it; null if the account is deleted. */
      delete_at: Nullable(Timestamp),
    }),
  }),
  readProof: route({
    service: 'identity',
    method: 'GET',
    path: '/user/account/proof',
    access: 'user',
    summary: 'How the user reauthenticates',
    data: Type.Object({ proof: Proof }),
  }),
  exportAccount: route({
    service: 'community',
    method: 'POST',
    path: '/api/cmt/user/export',
    access: 'user',
    ownAccounts: true,
    rateLimit: 'export',
    file: true,
    summary: 'All data about the own account, as one JSON file; requires reauthentication',
    body: Type.Object(typedProof),
  }),
};

/** The token of a mailed link. */
export const MailToken = Type.String({ minLength: 1, maxLength: 128 });

/** The e-mail address of the user's account. */
export const OwnAddress = Type.Object({
  /** Empty if the account has none. */
  email: Type.String(),
  /** Time of its verification by a link; null if it is not verified. */
  verified_at: Nullable(Timestamp),
  /** Whether a link can be mailed. */
  can_verify: Type.Boolean(),
  /** A new address with a valid link; opening the link sets it as the account's address. */
  new_email: Nullable(Type.String()),
  /** Whether it can be changed, which requires a mail server. */
  can_change: Type.Boolean(),
  /** How the user reauthenticates for that. */
  proof: Proof,
});
export type OwnAddress = Static<typeof OwnAddress>;

/** The e-mail address of the user's own account, at our own identity service. */
export const addressRoutes = {
  readAddress: route({
    service: 'identity',
    method: 'GET',
    path: '/user/account/email',
    access: 'user',
    summary: 'The e-mail address, and whether it is verified',
    data: OwnAddress,
  }),
  askAddressLink: route({
    service: 'identity',
    method: 'POST',
    path: '/user/account/email/link',
    access: 'user',
    rateLimit: 'sign-in',
    summary: 'Mail a link that verifies the own e-mail address',
    body: Type.Object({ language: LanguageName }),
    data: Nothing,
  }),
  verifyAddress: route({
    service: 'identity',
    method: 'POST',
    path: '/user/account/email/verify',
    access: 'user',
    rateLimit: 'sign-in',
    summary: 'Verify the own e-mail address by a mailed link, or change to the address of the link',
    /** Language of the mail to the previous address. */
    body: Type.Object({ token: MailToken, language: Type.Optional(LanguageName) }),
    data: OwnAddress,
  }),
};

/** An enterprise of the caller. */
export const OwnEnterprise = Type.Object({
  e_id: Id,
  /** Empty if unknown. */
  name: Type.String(),
  department: Type.String(),
  is_owner: Type.Boolean(),
  is_administrator: Type.Boolean(),
});
export type OwnEnterprise = Static<typeof OwnEnterprise>;

export const ownEnterpriseRoutes = {
  listOwnEnterprises: route({
    service: 'identity',
    method: 'GET',
    path: '/user/account/enterprise/list',
    access: 'user',
    summary: 'Enterprises of the caller',
    data: Type.Object({ enterprises: Type.Array(OwnEnterprise) }),
  }),
};
