import { Type } from 'typebox';
import { OwnStatistics } from '../entities/backstage.ts';
import { Cursor, Nothing, Nullable, PluginKey, PluginKeyIfTold, Total } from '../entities/base.ts';
import { Installation } from '../entities/plugin.ts';
import { InstalledPlugin, LikedPlugin, OwnPlugin } from '../entities/review.ts';
import { paging } from '../paging.ts';
import { route } from '../route.ts';

/** A person's own plugins, published, installed and liked (specification section 7), and how the published ones do. */
export const ownRoutes = {
  listOwnPlugins: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/plugin/audit',
    access: 'user',
    summary: "The caller's own plugins with their review state",
    query: Type.Object(paging),
    data: Type.Object({
      ...Total,
      next_cursor: Nullable(Cursor),
      plugin_list: Type.Array(OwnPlugin),
    }),
  }),
  deletePlugin: route({
    service: 'community',
    method: 'DELETE',
    path: '/api/cmt/plugin',
    access: 'publisher',
    summary: 'Delete a plugin; who has installed it keeps it',
    body: Type.Object({ plugin_key: PluginKey }),
    data: Nothing,
  }),
  changeVersion: route({
    service: 'community',
    method: 'PUT',
    path: '/api/cmt/plugin/version',
    access: 'publisher',
    summary: 'Make an earlier version current, or hide one',
    body: Type.Object({
      plugin_key: PluginKey,
      version: Type.String({ maxLength: 64 }),
      is_current: Type.Optional(Type.Literal(true)),
      is_hidden: Type.Optional(Type.Boolean()),
    }),
    data: Nothing,
  }),
  listInstalled: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/plugin/user/list',
    access: 'user',
    summary:
      'What the caller has installed or tries, newest first, with the version accepted and an update on offer',
    query: Type.Object(paging),
    data: Type.Object({
      ...Total,
      next_cursor: Nullable(Cursor),
      plugin_list: Type.Array(InstalledPlugin),
    }),
  }),
  listLiked: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/plugin/liked',
    access: 'user',
    compress: true,
    summary: 'What the caller likes, the latest like first',
    query: Type.Object(paging),
    data: Type.Object({
      ...Total,
      next_cursor: Nullable(Cursor),
      plugin_list: Type.Array(LikedPlugin),
    }),
  }),
  readOwnStatistics: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/plugin/statistics',
    access: 'user',
    compress: true,
    summary: "Figures per day of the caller's own plugins, or of one; administrators may ask for any one",
    query: Type.Object({
      days: Type.Integer({ minimum: 1, maximum: 366, default: 30 }),
      plugin_key: Type.Optional(PluginKey),
    }),
    data: OwnStatistics,
  }),
  acceptUpdate: route({
    service: 'community',
    method: 'PUT',
    path: '/api/cmt/plugin/user',
    access: 'user',
    summary: 'Accept what the version on offer may reach; 409 when another one is on offer by now',
    body: Type.Object({ plugin_key: PluginKey, version: Type.String({ minLength: 1, maxLength: 64 }) }),
    data: Type.Object({ plugin_key: PluginKeyIfTold, ...Installation.properties }),
  }),
  downloadInstalled: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/plugin/user/package',
    access: 'user',
    file: true,
    summary:
      'The package of a plugin the caller has installed, of the version accepted, without what is for developers only',
    query: Type.Object({ plugin_key: PluginKey }),
  }),
};
