import { Type } from 'typebox';
import { MARK_COLORS, TAGS_TOTAL_MAX, TEXT_LIMITS } from '../constants.ts';
import { ManagedMark, ManagedPlugin, ManagedTag } from '../entities/backstage.ts';
import { Nothing, PluginKey, TextsSchema } from '../entities/base.ts';
import { route } from '../route.ts';
import { TAG_CODE } from '../tags.ts';

/** Id of a tag or mark. */
const Id = Type.Integer({ minimum: 1, maximum: 2147483647 });

/** Administration of tags. */
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
      id: Type.Optional(Id),
      code: Type.Optional(Type.String({ pattern: TAG_CODE })),
      name: Type.Optional(TextsSchema(TEXT_LIMITS.tag)),
      /** What the page of the tag begins with. */
      intro: Type.Optional(TextsSchema(TEXT_LIMITS.tag_intro)),
      is_hidden: Type.Optional(Type.Boolean()),
    }),
    data: ManagedTag,
  }),
  orderTags: route({
    service: 'community',
    method: 'PUT',
    path: '/api/cmt/manager/tag/order',
    access: 'admin',
    summary: 'Reorder the tags',
    body: Type.Object({ ids: Type.Array(Id, { maxItems: TAGS_TOTAL_MAX }) }),
    data: Nothing,
  }),
  mergeTags: route({
    service: 'community',
    method: 'POST',
    path: '/api/cmt/manager/tag/merge',
    access: 'admin',
    summary: 'Move the plugins of a tag to another one, and delete it',
    body: Type.Object({ id: Id, into_id: Id }),
    data: ManagedTag,
  }),
  deleteTag: route({
    service: 'community',
    method: 'DELETE',
    path: '/api/cmt/manager/tag',
    access: 'admin',
    summary: 'Delete a tag that no plugin has',
    body: Type.Object({ id: Id }),
    data: Nothing,
  }),
};

/** Administration of marks, and assigning them to plugins. */
export const markRoutes = {
  listManagedMarks: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/manager/mark/list',
    access: 'admin',
    summary: 'All marks in their order, also hidden ones, with the number of their plugins',
    data: Type.Object({ mark_list: Type.Array(ManagedMark) }),
  }),
  saveMark: route({
    service: 'community',
    method: 'PUT',
    path: '/api/cmt/manager/mark',
    access: 'admin',
    summary:
      'Add a mark, which needs a code, a name and a colour, or change the one of `id`, whose code stays',
    body: Type.Object({
      id: Type.Optional(Id),
      code: Type.Optional(Type.String({ pattern: TAG_CODE })),
      name: Type.Optional(TextsSchema(TEXT_LIMITS.mark)),
      color: Type.Optional(Type.Enum(MARK_COLORS)),
      is_hidden: Type.Optional(Type.Boolean()),
    }),
    data: ManagedMark,
  }),
  orderMarks: route({
    service: 'community',
    method: 'PUT',
    path: '/api/cmt/manager/mark/order',
    access: 'admin',
    summary: 'Reorder the marks',
    body: Type.Object({ ids: Type.Array(Id, { maxItems: 500 }) }),
    data: Nothing,
  }),
  deleteMark: route({
    service: 'community',
    method: 'DELETE',
    path: '/api/cmt/manager/mark',
    access: 'admin',
    summary: 'Delete a mark that no plugin has',
    body: Type.Object({ id: Id }),
    data: Nothing,
  }),
  markPlugin: route({
    service: 'community',
    method: 'PUT',
    path: '/api/cmt/manager/plugin/mark',
    access: 'admin',
    summary: 'Set the mark of a plugin by its code, or remove it with an empty one',
    body: Type.Object({
      plugin_key: PluginKey,
      plugin_mark: Type.String({ maxLength: TEXT_LIMITS.name }),
    }),
    data: ManagedPlugin,
  }),
};
