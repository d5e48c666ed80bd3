import { type Static, Type } from 'typebox';
import { Nothing, Nullable, Timestamp } from '../entities/base.ts';
import { Proof, typedProof } from '../entities/proof.ts';
import { LoginMethod } from '../entities/user.ts';
import { route } from '../route.ts';

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
