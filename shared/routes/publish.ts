import { Type } from 'typebox';
import { PAGE_SIZE_MAX, TEXT_LIMITS } from '../constants.ts';
import { Cursor, LanguageName, Nothing, Nullable, PluginKey, TextsSchema } from '../entities/base.ts';
import { CopyrightKind } from '../entities/listing.ts';
import {
  AuditItem,
  BatchResult,
  EditablePlugin,
  InstalledPlugin,
  PublishResult,
  PublishRules,
  PublishToken,
  VersionKind,
} from '../entities/review.ts';
import { route } from '../route.ts';

/** Pictures of a listing that can be taken away again; one that is handed in replaces what is there. */
const RemovablePicture = Type.Union([Type.Literal('icon'), Type.Literal('cover'), Type.Literal('panel')]);

/** A picture or video of the listing: one that is there, by its key, or the n-th `media` part of this form. */
const MediaChoice = Type.Union([
  Type.Object({ key: Type.String({ pattern: '^[0-9a-f]{64}$' }) }),
  Type.Object({ upload: Type.Integer({ minimum: 0, maximum: 2 }) }),
]);

/**
 * Fields of the publishing form. Structured ones travel as JSON text; a text that is no JSON object is the one of
 * `default_lang`. File parts: `code` (the package), `icon`, `cover`, `panel`, and up to three `media`.
 */
const PluginForm = Type.Object({
  plugin_key: Type.Optional(PluginKey),
  /** Submission the change was made on; when somebody else has changed the plugin since, the answer is 409. */
  based_on: Type.Optional(Type.Integer()),
  default_lang: Type.Optional(LanguageName),
  name: Type.Optional(TextsSchema(TEXT_LIMITS.name)),
  intro: Type.Optional(TextsSchema(TEXT_LIMITS.intro)),
  description: Type.Optional(TextsSchema(TEXT_LIMITS.description)),
  tags: Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { maxItems: 5 })),
  contact: Type.Optional(Type.String({ maxLength: TEXT_LIMITS.contact })),
  support: Type.Optional(Type.String({ maxLength: TEXT_LIMITS.description })),
  copyright_kind: Type.Optional(CopyrightKind),
  copyright_holder: Type.Optional(Type.String({ maxLength: TEXT_LIMITS.contact })),
  /** Administrators only; ignored from others (specification section 5). */
  plugin_mark: Type.Optional(Type.String({ maxLength: TEXT_LIMITS.name })),
  version: Type.Optional(Type.String({ maxLength: 64 })),
  version_kind: Type.Optional(VersionKind),
  version_note: Type.Optional(TextsSchema(TEXT_LIMITS.version_note)),
  media_order: Type.Optional(Type.Array(MediaChoice)),
  remove: Type.Optional(Type.Array(RemovablePicture)),
});

const dryRun = Type.Object({ dry_run: Type.Optional(Type.Literal(1)) });

const paging = {
  cursor: Type.Optional(Cursor),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: PAGE_SIZE_MAX })),
};

/** Publishing, editing and versions (specification sections 3 and 7). */
export const publishRoutes = {
  publishPlugin: route({
    service: 'community',
    method: 'POST',
    path: '/api/cmt/plugin',
    access: 'publisher',
    multipart: true,
    publishToken: true,
    rateLimit: 'upload',
    summary: 'Publish a plugin, or with `plugin_key` a version of it; `dry_run=1` checks and stores nothing',
    query: dryRun,
    body: PluginForm,
    data: PublishResult,
  }),
  updatePlugin: route({
    service: 'community',
    method: 'PUT',
    path: '/api/cmt/plugin',
    access: 'publisher',
    multipart: true,
    publishToken: true,
    rateLimit: 'upload',
    summary: 'Change a plugin: a field left out keeps its setting',
    query: dryRun,
    body: PluginForm,
    data: PublishResult,
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
  listOwnPlugins: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/plugin/audit',
    access: 'user',
    summary: "The caller's own plugins with their review state",
    query: Type.Object(paging),
    data: Type.Object({
      total: Type.Integer(),
      next_cursor: Nullable(Cursor),
      plugin_list: Type.Array(AuditItem),
    }),
  }),
  readEditablePlugin: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/plugin/edit',
    access: 'publisher',
    summary: 'A plugin as its publisher edits it, in all its languages',
    query: Type.Object({ plugin_key: PluginKey }),
    data: EditablePlugin,
  }),
  readPublishRules: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/plugin/publish-rules',
    access: 'publisher',
    summary: 'What the caller may publish, how often and how much of it',
    data: PublishRules,
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
    summary: 'Batch import: `files` parts, each one package or an array of them',
    query: dryRun,
    body: Type.Object({
      /** What is to become of single items; the others are judged by the service alone. */
      items: Type.Optional(
        Type.Array(
          Type.Object({
            /** Place of the `files` part, and of the item within its array. */
            file: Type.Integer({ minimum: 0 }),
            index: Type.Integer({ minimum: 0 }),
            /** The plugin it becomes a version of; null: a new plugin, whatever looks alike. */
            plugin_key: Type.Optional(Nullable(PluginKey)),
            /** Mended by hand. */
            name: Type.Optional(Type.String({ maxLength: TEXT_LIMITS.name })),
            version: Type.Optional(Type.String({ maxLength: 64 })),
            skip: Type.Optional(Type.Literal(true)),
          }),
          { maxItems: 50 },
        ),
      ),
    }),
    data: Type.Object({ results: Type.Array(BatchResult) }),
  }),
  matchPackages: route({
    service: 'community',
    method: 'POST',
    path: '/api/cmt/manager/plugins/match',
    access: 'admin',
    summary: 'Which plugins packages would become versions of',
    body: Type.Object({
      packages: Type.Array(
        Type.Object({
          external_id: Nullable(Type.String({ maxLength: 200 })),
          name: Type.String({ maxLength: 200 }),
        }),
        { maxItems: 50 },
      ),
    }),
    data: Type.Object({
      /** One per package, in its order. */
      matches: Type.Array(
        Type.Object({
          /** The one that is taken when nothing is chosen. */
          plugin_key: Nullable(PluginKey),
          candidates: Type.Array(
            Type.Object({ plugin_key: PluginKey, name: Type.String(), last_version: Type.String() }),
          ),
        }),
      ),
    }),
  }),
  downloadPlugin: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/manager/plugin/{key}/download',
    access: 'admin',
    file: true,
    summary: 'The package of a plugin: the current one, or of `version`',
    params: Type.Object({ key: PluginKey }),
    query: Type.Object({ version: Type.Optional(Type.String({ maxLength: 64 })) }),
  }),
  listInstalled: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/plugin/user/list',
    access: 'user',
    summary: 'What the caller has installed, newest first',
    query: Type.Object(paging),
    data: Type.Object({
      total: Type.Integer(),
      next_cursor: Nullable(Cursor),
      plugin_list: Type.Array(InstalledPlugin),
    }),
  }),
  downloadInstalled: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/plugin/user/package',
    access: 'user',
    file: true,
    summary: 'The current package of a plugin the caller has installed, without what is for developers only',
    query: Type.Object({ plugin_key: PluginKey }),
  }),
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
    body: Type.Object({ id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) }),
    data: Nothing,
  }),
};
