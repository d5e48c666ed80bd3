import { type Static, Type } from 'typebox';
import { INSIGHT_TABLES, TEXT_LIMITS, UPDATE_AGE_MAX } from '../constants.ts';
import { OwnStatistics } from '../entities/backstage.ts';
import {
  Cursor,
  Nothing,
  Nullable,
  PluginKey,
  PluginKeyIfPresent,
  TextsSchema,
  Total,
} from '../entities/base.ts';
import { UpdateAge } from '../entities/client.ts';
import { HostName } from '../entities/host.ts';
import { Insights } from '../entities/insight.ts';
import { HOLDS, Installation, PluginState, Successor } from '../entities/plugin.ts';
import { InstalledPlugin, LikedPlugin, OwnPlugin } from '../entities/review.ts';
import { paging } from '../paging.ts';
import { route } from '../route.ts';

/** YYYY-MM-DD in UTC. */
const Day = Type.String({ format: 'date' });

/** The deprecation of a plugin, for those who may change it. Without one, what was said of the last one. */
const OwnDeprecation = Type.Object({
  plugin_key: PluginKey,
  is_deprecated: Type.Boolean(),
  successor: Nullable(Successor),
  text: TextsSchema(TEXT_LIMITS.reason),
});
export type OwnDeprecation = Static<typeof OwnDeprecation>;

/** The user's published, installed and liked plugins (R 2.14), and statistics of the published ones. */
export const ownRoutes = {
  listOwnPlugins: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/plugin/audit',
    access: 'user',
    scope: 'plugins:read',
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
    summary: 'Delete a plugin; existing installs stay',
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
  readDeprecation: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/plugin/deprecation',
    access: 'publisher',
    summary: 'Whether a plugin is deprecated, its successor, and its texts in all languages',
    query: Type.Object({ plugin_key: PluginKey }),
    data: OwnDeprecation,
  }),
  deprecatePlugin: route({
    service: 'community',
    method: 'PUT',
    path: '/api/cmt/plugin/deprecation',
    access: 'publisher',
    summary:
      'Deprecate a plugin, with a successor and a text if there are any, or take that back; users keep it and are told once',
    body: Type.Object({
      plugin_key: PluginKey,
      is_deprecated: Type.Boolean(),
      /** A listed plugin that is not deprecated itself. */
      successor_key: Type.Optional(Nullable(PluginKey)),
      text: Type.Optional(TextsSchema(TEXT_LIMITS.reason)),
    }),
    data: OwnDeprecation,
  }),
  listInstalled: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/plugin/user/list',
    access: 'user',
    scope: 'plugins:read',
    summary:
      'Plugins that the caller has installed or tries, newest first, with the accepted version and an available update',
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
    scope: 'plugins:read',
    compress: true,
    summary: 'Plugins that the caller likes, the latest like first',
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
    summary: "Daily statistics of the caller's own plugins, or of one; administrators may query any plugin",
    query: Type.Object({
      days: Type.Integer({ minimum: 1, maximum: 366, default: 30 }),
      plugin_key: Type.Optional(PluginKey),
    }),
    data: OwnStatistics,
  }),
  readInsights: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/plugin/statistics/insights',
    access: 'user',
    publishToken: true,
    summary:
      'How a plugin of the caller is found and used: sources, keywords, versions and retention; administrators may query any',
    query: Type.Object({
      plugin_key: PluginKey,
      days: Type.Integer({ minimum: 1, maximum: 366, default: 30 }),
    }),
    data: Insights,
  }),
  exportStatistics: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/plugin/statistics/export',
    access: 'user',
    publishToken: true,
    file: true,
    summary: 'Statistics of a plugin of the caller as CSV, by day, month or week, since its publication',
    query: Type.Object({
      plugin_key: PluginKey,
      table: Type.Enum(INSIGHT_TABLES),
      /** Both days are included. */
      from: Type.Optional(Day),
      until: Type.Optional(Day),
    }),
  }),
  acceptUpdate: route({
    service: 'community',
    method: 'PUT',
    path: '/api/cmt/plugin/user',
    access: 'user',
    client: true,
    scope: 'plugins:install',
    summary: 'Accept the rights of the available version; 409 if there is another one now',
    body: Type.Object({
      plugin_key: PluginKey,
      version: Type.String({ minLength: 1, maxLength: 64 }),
      host: Type.Optional(HostName),
    }),
    data: Type.Object({ plugin_key: PluginKeyIfPresent, ...Installation.properties }),
  }),
  moveToSuccessor: route({
    service: 'community',
    method: 'PUT',
    path: '/api/cmt/plugin/user/successor',
    access: 'user',
    client: true,
    scope: 'plugins:install',
    summary:
      'Install the successor of an installed plugin and uninstall this one; 409 if there is another successor, or it has more rights than the seen version',
    body: Type.Object({
      plugin_key: PluginKey,
      successor_key: PluginKey,
      /** The version whose rights the user has seen. */
      version: Type.String({ minLength: 1, maxLength: 64 }),
    }),
    data: PluginState,
  }),
  holdUpdates: route({
    service: 'community',
    method: 'PUT',
    path: '/api/cmt/plugin/user/hold',
    access: 'user',
    client: true,
    scope: 'plugins:install',
    summary:
      'Pin an installed plugin to a version, pause its updates, or let them go on; 409 for a version with more rights than accepted',
    body: Type.Object({
      plugin_key: PluginKey,
      /** None lets updates go on. */
      hold: Type.Optional(Nullable(Type.Enum(HOLDS))),
      /** The version to pin; by default the installed one. */
      version: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    }),
    data: Type.Object({ plugin_key: PluginKeyIfPresent, ...Installation.properties }),
  }),
  readUpdateAge: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/plugin/user/update_age',
    access: 'user',
    client: true,
    scope: 'plugins:read',
    summary: 'How old versions must be before they replace what the caller has installed',
    data: UpdateAge,
  }),
  changeUpdateAge: route({
    service: 'community',
    method: 'PUT',
    path: '/api/cmt/plugin/user/update_age',
    access: 'user',
    client: true,
    scope: 'plugins:install',
    summary: 'Choose how old versions must be before they replace what the caller has installed',
    body: Type.Object({
      /** Days since the approval; none takes the choice back. */
      days: Type.Optional(Type.Integer({ minimum: 0, maximum: UPDATE_AGE_MAX })),
    }),
    data: UpdateAge,
  }),
  downloadInstalled: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/plugin/user/package',
    access: 'user',
    client: true,
    scope: 'plugins:install',
    file: true,
    summary: 'The package of an installed plugin in the accepted version, without the fields for developers',
    query: Type.Object({ plugin_key: PluginKey, host: Type.Optional(HostName) }),
  }),
};
