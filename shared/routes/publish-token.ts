import { Type } from 'typebox';
import { TEXT_LIMITS } from '../constants.ts';
import { Cursor, Id, Nothing, Nullable, PluginKey } from '../entities/base.ts';
import { ManagedToken, PublishToken } from '../entities/review.ts';
import { typedProof } from '../entities/sign-in.ts';
import { paging } from '../paging.ts';
import { route } from '../route.ts';

/** Publish tokens, with which programs publish for a user. */
export const publishTokenRoutes = {
  createPublishToken: route({
    service: 'community',
    method: 'POST',
    path: '/api/cmt/plugin/token',
    access: 'publisher',
    summary:
      'Create a publish token; its secret is only in this response. Requires reauthentication at our own user service',
    body: Type.Object({
      name: Type.String({ minLength: 1, maxLength: TEXT_LIMITS.name }),
      plugin_key: Type.Optional(PluginKey),
      /** Days until it expires; 90 by default. */
      days: Type.Optional(Type.Integer({ minimum: 1, maximum: 365 })),
      ...typedProof,
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
  listManagedTokens: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/manager/publish_token/list',
    access: 'admin',
    superAdmin: true,
    summary: 'Valid publish tokens of one member or of all, newest first; for super administrators',
    query: Type.Object({ user_id: Type.Optional(Id), ...paging }),
    data: Type.Object({ next_cursor: Nullable(Cursor), token_list: Type.Array(ManagedToken) }),
  }),
  countManagedTokens: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/manager/publish_token/count',
    access: 'admin',
    superAdmin: true,
    summary: 'Numbers of valid publish tokens of some members; for super administrators',
    query: Type.Object({
      /** Up to 100 ids, separated by commas. */
      user_ids: Type.String({ pattern: '^[1-9][0-9]{0,14}(?:,[1-9][0-9]{0,14}){0,99}$' }),
    }),
    data: Type.Object({
      count_list: Type.Array(Type.Object({ user_id: Type.Integer(), count: Type.Integer() })),
    }),
  }),
  revokeManagedToken: route({
    service: 'community',
    method: 'DELETE',
    path: '/api/cmt/manager/publish_token',
    access: 'admin',
    superAdmin: true,
    summary: 'End a publish token of any member; for super administrators',
    body: Type.Object({ id: Id }),
    data: Nothing,
  }),
  revokeManagedTokens: route({
    service: 'community',
    method: 'DELETE',
    path: '/api/cmt/manager/publish_token/all',
    access: 'admin',
    superAdmin: true,
    summary: 'End all publish tokens of a member; for super administrators',
    body: Type.Object({ user_id: Id }),
    data: Type.Object({ ended: Type.Integer() }),
  }),
};
