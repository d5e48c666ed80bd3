import { Type } from 'typebox';
import { loginSource } from '../entities/login-source.ts';
import { route } from '../route.ts';

const { ux_from, login_source_id } = loginSource;

/** What the bind page of our own identity service calls before there is something to bind. */
export const ownBindRoutes = {
  beginBind: route({
    service: 'identity',
    method: 'POST',
    path: '/user/account/bind/begin',
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
