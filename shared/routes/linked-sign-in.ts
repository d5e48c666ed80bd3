import { type Static, Type } from 'typebox';
import { Nothing, Nullable, Timestamp } from '../entities/base.ts';
import { loginSource, Proof, typedProof } from '../entities/sign-in.ts';
import { LoginMethod } from '../entities/user.ts';
import { route } from '../route.ts';

const { ux_from, login_source_id } = loginSource;

/** What the bind page calls of the gateway before anything is bound (`bindThirdParty`). */
export const ownBindRoutes = {
  readBind: route({
    service: 'gateway',
    method: 'POST',
    path: '/api/auth/bind/read',
    access: 'user',
    rateLimit: 'sign-in',
    summary: 'What would be bound, for the browser that has earned the id alone',
    body: Type.Object({ id: Type.String({ minLength: 1, maxLength: 2048 }) }),
    data: Type.Object({
      /** What the deployment calls the service that the account is one of; null: by its method. */
      label: Nullable(Type.String()),
      /** Null where another user service alone knows. */
      method: Nullable(LoginMethod),
      /** The person there, as that service says; where only the id is known, the id. */
      name: Type.String(),
      email: Type.String(),
      /** Empty unless pages of this site may show it. */
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
    summary:
      'Goes to a document service whose account is to be bound to the own one, and answers its address',
    body: Type.Object({
      ux_from,
      login_source_id,
      /** Where to go on once both are bound; the bind page gets it again. */
      mainUrl: Type.Optional(Type.String({ maxLength: 2048 })),
      txDocFolderId: Type.Optional(Type.String({ maxLength: 200 })),
    }),
    data: Type.Object({
      /** Where the browser goes next. */
      go_to: Type.String(),
    }),
  }),
};

/** An account elsewhere by which its person signs in here. */
export const LinkedSignIn = Type.Object({
  link_id: Type.String({ pattern: '^[\\w-]{43}$' }),
  /** What the deployment calls that service; null: by its method. */
  label: Nullable(Type.String()),
  /** Null when the deployment offers it no longer. */
  method: Nullable(LoginMethod),
  /** As that service says, each empty when it is not known. */
  name: Type.String(),
  email: Type.String(),
  linked_at: Timestamp,
  last_sign_in_at: Timestamp,
  /** False for the only way to sign in. */
  is_removable: Type.Boolean(),
});
export type LinkedSignIn = Static<typeof LinkedSignIn>;

/** Sign-ins elsewhere that are linked to the account of who asks, at our own identity service. */
export const linkedSignInRoutes = {
  listLinkedSignIns: route({
    service: 'identity',
    method: 'GET',
    path: '/user/account/linked/list',
    access: 'user',
    summary: 'By which accounts elsewhere one signs in, the oldest first, and how to prove again who one is',
    data: Type.Object({ linked_list: Type.Array(LinkedSignIn), proof: Proof }),
  }),
  removeLinkedSignIn: route({
    service: 'identity',
    method: 'POST',
    path: '/user/account/linked/remove',
    access: 'user',
    rateLimit: 'sign-in',
    summary: 'Unlink a sign-in elsewhere, which ends the other sessions begun by it',
    body: Type.Object({ link_id: LinkedSignIn.properties.link_id, ...typedProof }),
    data: Nothing,
  }),
};
