import { Type } from 'typebox';
import { MARK_COLORS, TEXT_LIMITS } from '../constants.ts';
import { ManagedMark, ManagedPlugin } from '../entities/backstage.ts';
import { Nothing, PluginKey, TextsSchema } from '../entities/base.ts';
import { route } from '../route.ts';
import { TAG_CODE } from '../tags.ts';

const MarkId = Type.Integer({ minimum: 1, maximum: 2147483647 });

/** Marks of plugins as administrators keep them, and put them on plugins. */
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
      id: Type.Optional(MarkId),
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
    summary: 'Put the marks in order',
    body: Type.Object({ ids: Type.Array(MarkId, { maxItems: 500 }) }),
    data: Nothing,
  }),
  deleteMark: route({
    service: 'community',
    method: 'DELETE',
    path: '/api/cmt/manager/mark',
    access: 'admin',
    summary: 'Delete a mark that no plugin has',
    body: Type.Object({ id: MarkId }),
    data: Nothing,
  }),
  markPlugin: route({
    service: 'community',
    method: 'PUT',
    path: '/api/cmt/manager/plugin/mark',
    access: 'admin',
    summary: 'Put a mark on a plugin by its code, or take it off with an empty one',
    body: Type.Object({
      plugin_key: PluginKey,
      plugin_mark: Type.String({ maxLength: TEXT_LIMITS.name }),
    }),
    data: ManagedPlugin,
  }),
};
