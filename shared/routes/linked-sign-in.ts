import { type Static, Type } from 'typebox';
import { Nothing, Nullable, Timestamp } from '../entities/base.ts';
import { loginSource, Proof, typedProof } from '../entities/sign-in.ts';
import { LoginMethod } from '../entities/user.ts';
import { route } from '../route.ts';

const { ux_from, login_source_id } = loginSource;

/** Calls of the bind page before `bindThirdParty`. */
export const ownBindRoutes = {
  readBind: route({
    service: 'gateway',
    method: 'POST',
    path: '/api/auth/bind/read',
    access: 'user',
    rateLimit: 'sign-in',
    summary: 'The account to be bound; only for the browser that received the id',
    body: Type.Object({ id: Type.String({ minLength: 1, maxLength: 2048 }) }),
    data: Type.Object({
      /** Configured name of the service; null for the name of its method. */
      label: Nullable(Type.String()),
      /** Null with an external user service. */
      method: Nullable(LoginMethod),
      /** Name of the user there, or the id if there is no name. */
      name: Type.String(),
      email: Type.String(),
      /** Empty if pages of this site may not show it. */
      avatar_url: Type.String(),
      proof: Proof,
    }),
  }),
  beginBind: route({
    service: 'gateway',
    method: 'POST',
    path: '/api/auth/bind/begin',
    access: 'user',
    rateLimit: 'sign-in',
    summary: 'Start binding an account of a document service, and return its address',
    body: Type.Object({
      ux_from,
      login_source_id,
      /** Target after the binding, which is passed to the bind page again. */
      mainUrl: Type.Optional(Type.String({ maxLength: 2048 })),
      txDocFolderId: Type.Optional(Type.String({ maxLength: 200 })),
    }),
    data: Type.Object({
      /** Next address for the browser. */
      go_to: Type.String(),
    }),
  }),
};

/** A linked account of another provider. */
export const LinkedSignIn = Type.Object({
  link_id: Type.String({ pattern: '^[\\w-]{43}$' }),
  /** Configured name of the provider; null for the name of its method. */
  label: Nullable(Type.String()),
  /** Null if the method is no longer configured. */
  method: Nullable(LoginMethod),
  /** Data from the provider, empty if unknown. */
  name: Type.String(),
  email: Type.String(),
  linked_at: Timestamp,
  last_sign_in_at: Timestamp,
  /** False for the only sign-in method of the account. */
  is_removable: Type.Boolean(),
});
export type LinkedSignIn = Static<typeof LinkedSignIn>;

/** Linked sign-ins of the user's account, at our own identity service. */
export const linkedSignInRoutes = {
  listLinkedSignIns: route({
    service: 'identity',
    method: 'GET',
    path: '/user/account/linked/list',
    access: 'user',
    summary: 'Linked sign-ins, oldest first, and the required reauthentication',
    data: Type.Object({ linked_list: Type.Array(LinkedSignIn), proof: Proof }),
  }),
  removeLinkedSignIn: route({
    service: 'identity',
    method: 'POST',
    path: '/user/account/linked/remove',
    access: 'user',
    rateLimit: 'sign-in',
    summary: 'Unlink a sign-in, which ends the other sessions that it started',
    body: Type.Object({ link_id: LinkedSignIn.properties.link_id, ...typedProof }),
    data: Nothing,
  }),
};
