import { Type } from 'typebox';
import { TEXT_LIMITS } from '../constants.ts';
import { Id, Nothing, PluginKey } from '../entities/base.ts';
import { PublishToken } from '../entities/review.ts';
import { route } from '../route.ts';

/** Publish tokens, by which programs publish for a person. */
export const publishTokenRoutes = {
  createPublishToken: route({
    service: 'community',
    method: 'POST',
    path: '/api/cmt/plugin/token',
    access: 'publisher',
    summary: 'Make a publish token; its secret is in this answer alone',
    body: Type.Object({
      name: Type.String({ minLength: 1, maxLength: TEXT_LIMITS.name }),
      plugin_key: Type.Optional(PluginKey),
      /** Days until it expires; 90 when left out. */
      days: Type.Optional(Type.Integer({ minimum: 1, maximum: 365 })),
    }),
    data: Type.Object({ token: PublishToken, secret: Type.String() }),
  }),
  listPublishTokens: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/plugin/token/list',
    access: 'publisher',
    summary: "The caller's publish tokens, newest first",
    data: Type.Object({ token_list: Type.Array(PublishToken) }),
  }),
  revokePublishToken: route({
    service: 'community',
    method: 'DELETE',
    path: '/api/cmt/plugin/token',
    access: 'publisher',
    summary: 'End a publish token',
    body: Type.Object({ id: Id }),
    data: Nothing,
  }),
};
