import { Type } from 'typebox';
import { TEXT_LIMITS } from '../constants.ts';
import { FileKey, LanguageName, PluginKey, TextsSchema } from '../entities/base.ts';
import { CopyrightKind } from '../entities/listing.ts';
import { DryRun, EditablePlugin, PublishResult, PublishRules, VersionKind } from '../entities/review.ts';
import { route } from '../route.ts';

/** Pictures of a listing that can be taken away again; one that is submitted replaces what is there. */
const RemovablePicture = Type.Union([Type.Literal('icon'), Type.Literal('cover'), Type.Literal('panel')]);

/** A picture or video of the listing: one that is there, by its key, or the n-th `media` part of this form. */
const MediaChoice = Type.Union([
  Type.Object({ key: FileKey }),
  Type.Object({ upload: Type.Integer({ minimum: 0, maximum: 2 }) }),
]);

/** Fields of the form that say what a plugin and its version are like, apart from the version's number. */
export const ListingFields = Type.Object({
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
