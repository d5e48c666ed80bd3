import { Type } from 'typebox';
import { MEDIA_MAX, TEXT_LIMITS } from '../constants.ts';
import { FileKey, LanguageName, Nullable, PluginKey, TextsSchema } from '../entities/base.ts';
import { CopyrightKind } from '../entities/plugin.ts';
import {
  BatchResult,
  DryRun,
  EditablePlugin,
  PublishResult,
  PublishRules,
  VersionKind,
} from '../entities/review.ts';
import { route } from '../route.ts';

/** Pictures of a listing that can be taken away again; one that is submitted replaces what is there. */
const RemovablePicture = Type.Union([Type.Literal('icon'), Type.Literal('cover'), Type.Literal('panel')]);

/** A picture or video of the listing: one that is there, by its key, or the n-th `media` part of this form. */
const MediaChoice = Type.Union([
  Type.Object({ key: FileKey }),
  Type.Object({ upload: Type.Integer({ minimum: 0, maximum: 2 }) }),
]);

/** Fields of the form that say what a plugin and its version are like, apart from the version's number. */
const ListingFields = Type.Object({
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
  version_kind: Type.Optional(VersionKind),
  version_note: Type.Optional(TextsSchema(TEXT_LIMITS.version_note)),
  media_order: Type.Optional(Type.Array(MediaChoice)),
  remove: Type.Optional(Type.Array(RemovablePicture)),
  /** Pictures that stay as they are though the package brings others. */
  keep: Type.Optional(Type.Array(Type.Literal('icon'))),
});

/**
 * Fields of the publishing form. Structured ones travel as JSON text; a text that is no JSON object is the one of
 * `default_lang`. File parts: `code` (the package), `icon`, `cover`, `panel`, and up to three `media`.
 */
const PluginForm = Type.Object({
  plugin_key: Type.Optional(PluginKey),
  /** Submission the change was made on; when somebody else has changed the plugin since, the answer is 409. */
  based_on: Type.Optional(Type.Integer()),
  version: Type.Optional(Type.String({ maxLength: 64 })),
  ...ListingFields.properties,
});

/** Publishing and editing one plugin (specification sections 3 and 7). */
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
    query: DryRun,
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
    query: DryRun,
    body: PluginForm,
    data: PublishResult,
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
};

/** Place of a `media` part among those of its form. */
const MediaPlace = Type.Integer({ minimum: 0 });

/** Batch import (specification section 7, design section 7). */
export const batchRoutes = {
  uploadBatch: route({
    service: 'community',
    method: 'POST',
    path: '/api/cmt/manager/plugins/upload',
    access: 'admin',
    multipart: true,
    rateLimit: 'upload',
    summary:
      'Batch import: `files` parts, each one package or an array of them; `media` parts that items name',
    query: DryRun,
    body: Type.Object({
      /** What is to become of single items; the others are checked by the service alone. */
      items: Type.Optional(
        Type.Array(
          Type.Object({
            /** Place of the `files` part, and of the item within its array. */
            file: Type.Integer({ minimum: 0 }),
            index: Type.Integer({ minimum: 0 }),
            /** The plugin it becomes a version of; null: a new plugin, whatever looks alike. */
            plugin_key: Type.Optional(Nullable(PluginKey)),
            /** Given by hand: its name in its own language, and its number. */
            name: Type.Optional(Type.String({ maxLength: TEXT_LIMITS.name })),
            version: Type.Optional(Type.String({ maxLength: 64 })),
            /** As in the form for one plugin: it goes before what the package says. */
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
};
