import { Type } from 'typebox';
import { PAGE_SIZE_MAX, TEXT_LIMITS } from '../constants.ts';
import { Cursor, Nothing, Nullable, PluginKey, TextsSchema } from '../entities/base.ts';
import { AuditItem, BatchResult, PublishResult } from '../entities/review.ts';
import { route } from '../route.ts';

const PluginForm = Type.Object({
  plugin_key: Type.Optional(PluginKey),
  name: Type.Optional(TextsSchema(TEXT_LIMITS.name)),
  intro: Type.Optional(TextsSchema(TEXT_LIMITS.intro)),
  description: Type.Optional(TextsSchema(TEXT_LIMITS.description)),
  tags: Type.Optional(Type.Array(Type.String(), { maxItems: 5 })),
  contact: Type.Optional(Type.String({ maxLength: TEXT_LIMITS.contact })),
  support: Type.Optional(Type.String({ maxLength: TEXT_LIMITS.description })),
  copyright: Type.Optional(Type.String({ maxLength: TEXT_LIMITS.contact })),
  plugin_mark: Type.Optional(Type.String({ maxLength: TEXT_LIMITS.name })),
  version: Type.Optional(Type.String({ maxLength: 64 })),
  version_note: Type.Optional(TextsSchema(TEXT_LIMITS.version_note)),
});

/** Publishing, editing and versions (specification sections 3 and 7). */
export const publishRoutes = {
  publishPlugin: route({
    service: 'community',
    method: 'POST',
    path: '/api/cmt/plugin',
    access: 'publisher',
    multipart: true,
    rateLimit: 'upload',
    summary: 'Publish a plugin',
    query: Type.Object({ dry_run: Type.Optional(Type.Literal(1)) }),
    body: PluginForm,
    data: PublishResult,
  }),
  updatePlugin: route({
    service: 'community',
    method: 'PUT',
    path: '/api/cmt/plugin',
    access: 'publisher',
    multipart: true,
    rateLimit: 'upload',
    summary: 'Change a plugin: a field left out keeps its setting',
    body: PluginForm,
    data: PublishResult,
  }),
  deletePlugin: route({
    service: 'community',
    method: 'DELETE',
    path: '/api/cmt/plugin',
    access: 'publisher',
    summary: 'Delete a plugin',
    body: Type.Object({ plugin_key: PluginKey }),
    data: Nothing,
  }),
  listOwnPlugins: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/plugin/audit',
    access: 'user',
    summary: "The caller's own plugins with their review state",
    query: Type.Object({
      cursor: Type.Optional(Cursor),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: PAGE_SIZE_MAX })),
    }),
    data: Type.Object({
      total: Type.Integer(),
      next_cursor: Nullable(Cursor),
      plugin_list: Type.Array(AuditItem),
    }),
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
  uploadBatch: route({
    service: 'community',
    method: 'POST',
    path: '/api/cmt/manager/plugins/upload',
    access: 'admin',
    multipart: true,
    rateLimit: 'upload',
    summary: 'Batch import of package files',
    data: Type.Object({ results: Type.Array(BatchResult) }),
  }),
  downloadPlugin: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/manager/plugin/{key}/download',
    access: 'admin',
    file: true,
    summary: 'The current package of a plugin',
    params: Type.Object({ key: PluginKey }),
  }),
  reportPlugin: route({
    service: 'community',
    method: 'POST',
    path: '/api/cmt/plugin/report',
    access: 'user',
    rateLimit: 'report',
    summary: 'Report a plugin to the administrators',
    body: Type.Object({
      plugin_key: PluginKey,
      reason: Type.String({ minLength: 1, maxLength: TEXT_LIMITS.reason }),
    }),
    data: Nothing,
  }),
};
