import { Type } from 'typebox';
import { TAGS_TOTAL_MAX, TEXT_LIMITS } from '../constants.ts';
import { ManagedTag } from '../entities/backstage.ts';
import { Nothing, TextsSchema } from '../entities/base.ts';
import { route } from '../route.ts';
import { TAG_CODE } from '../tags.ts';

const TagId = Type.Integer({ minimum: 1, maximum: 2147483647 });

/** Tags as administrators keep them. */
export const tagRoutes = {
  listManagedTags: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/manager/tag/list',
    access: 'admin',
    summary: 'All tags in their order, also hidden ones, with the number of their plugins',
    data: Type.Object({ tag_list: Type.Array(ManagedTag) }),
  }),
  saveTag: route({
    service: 'community',
    method: 'PUT',
    path: '/api/cmt/manager/tag',
    access: 'admin',
    summary: 'Add a tag, which needs a code and a name, or change the one of `id`',
    body: Type.Object({
      id: Type.Optional(TagId),
      code: Type.Optional(Type.String({ pattern: TAG_CODE })),
      name: Type.Optional(TextsSchema(TEXT_LIMITS.tag)),
      is_hidden: Type.Optional(Type.Boolean()),
    }),
    data: ManagedTag,
  }),
  orderTags: route({
    service: 'community',
    method: 'PUT',
    path: '/api/cmt/manager/tag/order',
    access: 'admin',
    summary: 'Put the tags in order',
    body: Type.Object({ ids: Type.Array(TagId, { maxItems: TAGS_TOTAL_MAX }) }),
    data: Nothing,
  }),
  mergeTags: route({
    service: 'community',
    method: 'POST',
    path: '/api/cmt/manager/tag/merge',
    access: 'admin',
    summary: 'Give the plugins of a tag to another one, and delete it',
    body: Type.Object({ id: TagId, into_id: TagId }),
    data: ManagedTag,
  }),
  deleteTag: route({
    service: 'community',
    method: 'DELETE',
    path: '/api/cmt/manager/tag',
    access: 'admin',
    summary: 'Delete a tag that no plugin has',
    body: Type.Object({ id: TagId }),
    data: Nothing,
  }),
};
