import { Type } from 'typebox';
import { Nullable } from '../entities/base.ts';
import { loginSource } from '../entities/login-source.ts';
import { Proof } from '../entities/proof.ts';
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
