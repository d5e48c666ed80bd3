import { Type } from 'typebox';
import { DESCRIPTION_FORMATS, MEDIA_MAX, TEXT_LIMITS } from '../constants.ts';
import { FileKey, LanguageName, Nullable, PluginKey, TextsSchema } from '../entities/base.ts';
import { CopyrightKind, DataCollected } from '../entities/plugin.ts';
import {
  BatchResult,
  DryRun,
  EditablePlugin,
  PublishResult,
  PublishRules,
  VersionKind,
} from '../entities/review.ts';
import { TextBlock } from '../entities/text-blocks.ts';
import { route } from '../route.ts';

/** Pictures of a listing that can be removed; a new one replaces the existing one. What is collected can be unsaid. */
const Removable = Type.Union([
  Type.Literal('icon'),
  Type.Literal('cover'),
  Type.Literal('panel'),
  Type.Literal('data_collected'),
]);

/** With it a picture is the *before* of the one right before it in the order; both are shown as one. */
const isBefore = { is_before: Type.Optional(Type.Boolean()) };

/** A picture or video of the listing: an existing one by its key, or the n-th `media` part of this form. */
const MediaChoice = Type.Union([
  Type.Object({ key: FileKey, ...isBefore }),
  Type.Object({ upload: Type.Integer({ minimum: 0, maximum: 2 }), ...isBefore }),
]);

/** Fields of the form for listing and version, except for the version number. */
const ListingFields = Type.Object({
  default_lang: Type.Optional(LanguageName),
  name: Type.Optional(TextsSchema(TEXT_LIMITS.name)),
  intro: Type.Optional(TextsSchema(TEXT_LIMITS.intro)),
  description: Type.Optional(TextsSchema(TEXT_LIMITS.description)),
  /** Of the description that comes with it; plain text without. */
  description_format: Type.Optional(Type.Enum(DESCRIPTION_FORMATS)),
  license: Type.Optional(Type.String({ maxLength: TEXT_LIMITS.license })),
  /** Addresses of https; an empty one removes that of the listing. */
  home_page: Type.Optional(Type.String({ maxLength: TEXT_LIMITS.link })),
  source_url: Type.Optional(Type.String({ maxLength: TEXT_LIMITS.link })),
  issues_url: Type.Optional(Type.String({ maxLength: TEXT_LIMITS.link })),
  data_collected: Type.Optional(DataCollected),
  tags: Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { maxItems: 5 })),
  contact: Type.Optional(Type.String({ maxLength: TEXT_LIMITS.contact })),
  support: Type.Optional(TextsSchema(TEXT_LIMITS.support)),
  copyright_kind: Type.Optional(CopyrightKind),
  copyright_holder: Type.Optional(Type.String({ maxLength: TEXT_LIMITS.contact })),
  /** Administrators only; ignored from others (R 5.5). */
  plugin_mark: Type.Optional(Type.String({ maxLength: TEXT_LIMITS.name })),
  version_kind: Type.Optional(VersionKind),
  version_note: Type.Optional(TextsSchema(TEXT_LIMITS.version_note)),
  media_order: Type.Optional(Type.Array(MediaChoice)),
  remove: Type.Optional(Type.Array(Removable)),
  /** Existing pictures that the pictures of the package do not replace. */
  keep: Type.Optional(Type.Array(Type.Literal('icon'))),
});

/**
 * Fields of the publishing form. Structured ones are JSON; a text that is not a JSON object is the text of
 * `default_lang`. File parts: `code` (the package), `icon`, `cover`, `panel`, and up to three `media`.
 */
const PluginForm = Type.Object({
  plugin_key: Type.Optional(PluginKey),
  /** The submission that was edited; if there is a newer one, the response is 409. */
  based_on: Type.Optional(Type.Integer()),
  version: Type.Optional(Type.String({ maxLength: 64 })),
  ...ListingFields.properties,
});

/** Publishing and editing one plugin (R 5.1). */
export const publishRoutes = {
  publishPlugin: route({
    service: 'community',
    method: 'POST',
    path: '/api/cmt/plugin',
    access: 'publisher',
    scope: 'plugins:publish',
    multipart: true,
    publishToken: true,
    rateLimit: 'upload',
    summary: 'Publish a plugin, or with `plugin_key` a version of it; `dry_run=1` checks and stores nothing',
    query: DryRun,
    body: PluginForm,
    data: PublishResult,
  }),
  updatePlugin: route({
    service: 'community',
    method: 'PUT',
    path: '/api/cmt/plugin',
    access: 'publisher',
    scope: 'plugins:publish',
    multipart: true,
    publishToken: true,
    rateLimit: 'upload',
    summary: 'Change the given fields of a plugin',
    query: DryRun,
    body: PluginForm,
    data: PublishResult,
  }),
  readEditablePlugin: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/plugin/edit',
    access: 'publisher',
    summary: 'A plugin for editing, in all its languages',
    query: Type.Object({ plugin_key: PluginKey }),
    data: EditablePlugin,
  }),
  previewDescription: route({
    service: 'community',
    method: 'POST',
    path: '/api/cmt/plugin/description/preview',
    access: 'publisher',
    summary: 'A description in Markdown as the page of the plugin shows it',
    body: Type.Object({ description: Type.String({ maxLength: TEXT_LIMITS.description }) }),
    data: Type.Object({ blocks: Type.Array(TextBlock) }),
  }),
  readPublishRules: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/plugin/publish-rules',
    access: 'publisher',
    summary: 'Limits of the caller for publishing',
    data: PublishRules,
  }),
};

/** Index of a `media` part in its form. */
const MediaPlace = Type.Integer({ minimum: 0 });

/** Batch import (R 5.12). */
export const batchRoutes = {
  uploadBatch: route({
    service: 'community',
    method: 'POST',
    path: '/api/cmt/manager/plugins/upload',
    access: 'publisher',
    multipart: true,
    rateLimit: 'upload',
    summary:
      'Batch import: `files` parts, each one package or an array of them; `media` parts that items refer to',
    query: DryRun,
    body: Type.Object({
      /** Settings of single items; the other items have the defaults. */
      items: Type.Optional(
        Type.Array(
          Type.Object({
            /** Index of the `files` part, and of the item in its array. */
            file: Type.Integer({ minimum: 0 }),
            index: Type.Integer({ minimum: 0 }),
            /** The plugin of the version; null for a new plugin, even if similar ones exist. */
            plugin_key: Type.Optional(Nullable(PluginKey)),
            /** Name in the default language and version number, if the publisher has changed them. */
            name: Type.Optional(Type.String({ maxLength: TEXT_LIMITS.name })),
            version: Type.Optional(Type.String({ maxLength: 64 })),
            /** As in the form for one plugin; it overrides the package. */
            listing: Type.Optional(ListingFields),
            icon: Type.Optional(MediaPlace),
            cover: Type.Optional(MediaPlace),
            panel: Type.Optional(MediaPlace),
            /** Pictures and videos; `media_order` of `listing` counts these. */
            media: Type.Optional(Type.Array(MediaPlace, { maxItems: MEDIA_MAX })),
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
    access: 'publisher',
    summary: 'Matching plugins of packages, whose versions they would become',
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
      /** One per package, in the same order. */
      matches: Type.Array(
        Type.Object({
          /** The default choice. */
          plugin_key: Nullable(PluginKey),
          candidates: Type.Array(
            Type.Object({ plugin_key: PluginKey, name: Type.String(), last_version: Type.String() }),
          ),
        }),
      ),
    }),
  }),
};
