import { type Static, Type } from 'typebox';
import { Id, LanguageName, Nothing, Nullable, Timestamp } from '../entities/base.ts';
import { Proof, typedProof } from '../entities/sign-in.ts';
import { SessionView } from '../entities/user.ts';
import { route } from '../route.ts';

/** What becomes of published plugins when the account of their publisher is deleted. */
export const PluginsAfter = Type.Union([Type.Literal('keep'), Type.Literal('remove')]);
export type PluginsAfter = Static<typeof PluginsAfter>;

/** What the deletion of the viewer's account stands on at identity. */
export const OwnDeletion = Type.Object({
  proof: Proof,
  /** Milliseconds during which signing in calls the deletion off; 0: it happens at once. */
  delay: Type.Integer({ minimum: 0 }),
  /** Why the account cannot be deleted now. */
  refused_by: Nullable(Type.Union([Type.Literal('LAST_SUPER_ADMIN'), Type.Literal('LAST_OWNER')])),
  session_count: Type.Integer(),
  linked_count: Type.Integer(),
});
export type OwnDeletion = Static<typeof OwnDeletion>;

/** What an account has at the marketplace. */
export const Holdings = Type.Object({
  /** Published plugins that others can find, the latest 50 by name. */
  published: Type.Array(Type.Object({ plugin_key: Type.String(), name: Type.String() })),
  published_count: Type.Integer(),
  /** Plugins that were never published. */
  unpublished_count: Type.Integer(),
  /** Versions and changes that wait for review. */
  waiting_count: Type.Integer(),
  install_count: Type.Integer(),
  like_count: Type.Integer(),
  report_count: Type.Integer(),
  token_count: Type.Integer(),
});
export type Holdings = Static<typeof Holdings>;

/** A person's own account as a whole; there only where accounts are those of our own identity service. */
export const accountRoutes = {
  changeProfile: route({
    service: 'gateway',
    method: 'PUT',
    path: '/api/auth/profile',
    access: 'user',
    rateLimit: 'account',
    summary: 'Change the own name or picture; the session has them at once',
    body: Type.Object({
      nick_name: Type.Optional(Type.String({ maxLength: 200 })),
      /** An address of `uploadAvatar`; empty: no picture. */
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
    summary: 'Upload a picture of oneself; it shows once the profile is changed to it',
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
    summary: 'Have a link mailed to another address; opened by who is signed in, it becomes the own one',
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
    summary: 'What the deletion of the own account takes',
    data: OwnDeletion,
  }),
  readHoldings: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/user/holdings',
    access: 'user',
    ownAccounts: true,
    summary: 'What one has at the marketplace, as far as deleting the account concerns it',
    data: Holdings,
  }),
  deleteAccount: route({
    service: 'identity',
    method: 'POST',
    path: '/user/account/delete',
    access: 'user',
    rateLimit: 'sign-in',
    summary: 'Delete the own account; it ends everywhere now and is gone after the time to call it off',
    body: Type.Object({
      /** The own name, typed as a confirmation. */
      nick_name: Type.String({ maxLength: 200 }),
      plugins: PluginsAfter,
      language: LanguageName,
      ...typedProof,
    }),
    data: Type.Object({
      /** Until when signing in calls it off; null: it is gone. */
      delete_at: Nullable(Timestamp),
    }),
  }),
  exportAccount: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/user/export',
    access: 'user',
    ownAccounts: true,
    rateLimit: 'export',
    file: true,
    summary: 'All that is kept about oneself, as one JSON file',
  }),
};

/** The token of a mailed link. */
export const MailToken = Type.String({ minLength: 1, maxLength: 128 });

/** The e-mail address of the viewer's account. */
export const OwnAddress = Type.Object({
  /** Empty where the account has none. */
  email: Type.String(),
  /** When a link proved that it is theirs; null while it is only said so. */
  verified_at: Nullable(Timestamp),
  /** Whether a link can be mailed. */
  can_verify: Type.Boolean(),
  /** An address that a link was mailed to which still is good; opening it makes it the account's. */
  new_email: Nullable(Type.String()),
  /** Whether it can be changed, which takes a mail. */
  can_change: Type.Boolean(),
  /** How to prove who one is for that. */
  proof: Proof,
});
export type OwnAddress = Static<typeof OwnAddress>;

/** The e-mail address of one's own account, at our own identity service. */
export const addressRoutes = {
  readAddress: route({
    service: 'identity',
    method: 'GET',
    path: '/user/account/email',
    access: 'user',
    summary: 'The e-mail address, and whether it is proved',
    data: OwnAddress,
  }),
  askAddressLink: route({
    service: 'identity',
    method: 'POST',
    path: '/user/account/email/link',
    access: 'user',
    rateLimit: 'sign-in',
    summary: 'Have a link mailed that proves the own e-mail address',
    body: Type.Object({ language: LanguageName }),
    data: Nothing,
  }),
  verifyAddress: route({
    service: 'identity',
    method: 'POST',
    path: '/user/account/email/verify',
    access: 'user',
    rateLimit: 'sign-in',
    summary: 'Prove the own e-mail address by a mailed link, or take the one that it was mailed to',
    /** The language is of the mail to an address of before. */
    body: Type.Object({ token: MailToken, language: Type.Optional(LanguageName) }),
    data: OwnAddress,
  }),
};

/** An enterprise that the caller belongs to. */
export const OwnEnterprise = Type.Object({
  e_id: Id,
  /** Empty where nobody has said. */
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
    summary: 'The enterprises that the caller belongs to',
    data: Type.Object({ enterprises: Type.Array(OwnEnterprise) }),
  }),
};
