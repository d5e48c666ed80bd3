import { type Static, Type } from 'typebox';
import { TEXT_LIMITS } from '../constants.ts';
import {
  FALLBACK_BESIDE,
  Nullable,
  PluginKey,
  PluginKeyIfPresent,
  REQUIRED,
  TextsSchema,
  Timestamp,
} from './base.ts';
import { Finding } from './finding.ts';
import { AuditStatus, Installation, Listing, PluginCard, Tag } from './plugin.ts';
import { PublicUser } from './user.ts';

/** A version has new features, or fixes the previous one (R 5.2). */
export const VersionKind = Type.Union([Type.Literal('new'), Type.Literal('fixed')]);
export type VersionKind = Static<typeof VersionKind>;

/** Query of a publishing call that only checks and stores nothing. */
export const DryRun = Type.Object({ dry_run: Type.Optional(Type.Literal(1)) });

/** Immediate response of publishing. */
export const PublishResult = Type.Object({
  plugin_key: PluginKeyIfPresent,
  version: Type.String(),
  audit_status: AuditStatus,
  findings: Type.Array(Finding),
});
export type PublishResult = Static<typeof PublishResult>;

/** Result of one item of a batch upload; an invalid item does not affect the others. */
export const BatchResult = Type.Object({
  file: Type.String(),
  /** Index in the file's array; 0 for a file with one package. */
  index: Type.Integer(),
  ok: Type.Boolean(),
  plugin_key: Type.Optional(PluginKey),
  version: Type.Optional(Type.String()),
  /** True for a new version of an existing plugin. */
  is_new_version: Type.Optional(Type.Boolean()),
  errors: Type.Array(Finding),
  warnings: Type.Array(Finding),
});
export type BatchResult = Static<typeof BatchResult>;

/**
 * A submission for review: a snapshot of the listing, with a new version or for the existing one. The card
 * shows the submitted listing; its counters are those of the plugin.
 */
export const AuditItem = Type.Object({
  submission_id: Type.Integer(),
  plugin: Type.Object(PluginCard.properties, FALLBACK_BESIDE),
  version: Type.String(),
  version_kind: VersionKind,
  /** It has a new version; false for a change of only the listing. */
  brings_version: Type.Boolean(),
  /** The plugin was never approved before. */
  is_first: Type.Boolean(),
  /** The plugin is public, with its last approved listing. */
  is_live: Type.Boolean(),
  /** The version that users install; null before the first approval. */
  current_version: Nullable(Type.String()),
  is_hidden: Type.Boolean(),
  audit_status: AuditStatus,
  reason: Nullable(Type.String()),
  findings: Type.Array(Finding),
  is_recommended: Type.Boolean(),
  is_silent: Type.Boolean(),
  submitted_at: Timestamp,
  decided_at: Nullable(Timestamp),
  decided_by: Nullable(PublicUser),
  /** The reviewer who has claimed it, and until when. */
  claimed_by: Nullable(PublicUser),
  claimed_until: Nullable(Timestamp),
});
export type AuditItem = Static<typeof AuditItem>;

/** Position of a pending submission in the queue, and the usual waiting time. */
export const QueuePlace = Type.Object({
  /** In the order of the review queue, from 1; if estimated, it is a lower bound. */
  place: Type.Integer({ minimum: 1, ...REQUIRED }),
  place_estimated: Type.Boolean(),
  /** Whole hours of most of the latest decisions; null if there are too few. */
  usual_wait_hours: Nullable(Type.Integer()),
  /** It has been waiting longer. */
  is_late: Type.Boolean(),
});
export type QueuePlace = Static<typeof QueuePlace>;

/** The same for its publisher. */
export const OwnPlugin = Type.Object({
  ...AuditItem.properties,
  /** Installs on each of the last 30 days in UTC, ending with today; may be some seconds old. */
  daily_installs: Type.Optional(Type.Array(Type.Integer())),
  /** Only while it is pending. */
  queue: Type.Optional(QueuePlace),
});
export type OwnPlugin = Static<typeof OwnPlugin>;

/** The same for a reviewer. */
export const ReviewItem = Type.Object({
  ...AuditItem.properties,
  /**
   * The caller, or one of their publish tokens, has submitted it, one that it replaces, or its version, or publishes the
   * plugin.
   */
  is_own: Type.Boolean(),
  /** The caller may not decide, because it is their own submission (setting REVIEW_OWN_SUBMISSIONS). */
  is_barred: Type.Boolean(),
  /** The caller has opened or claimed it. */
  is_opened: Type.Boolean(),
});
export type ReviewItem = Static<typeof ReviewItem>;

/** A plugin for editing by its publisher: the latest submission. */
export const EditablePlugin = Type.Object({
  plugin_key: PluginKey,
  /** The latest submission, for `based_on` of the next change. */
  submission_id: Type.Integer(),
  listing: Listing,
  /** Its hidden tags, which it may keep although they are not offered. */
  hidden_tags: Type.Optional(Type.Array(Tag)),
  audit_status: AuditStatus,
  reason: Nullable(Type.String()),
  findings: Type.Array(Finding),
  /** Version and note of the submission, and the greatest version number so far. */
  version: Type.String(),
  version_kind: VersionKind,
  version_note: TextsSchema(TEXT_LIMITS.version_note),
  last_version: Type.String(),
  current_version: Nullable(Type.String()),
  /** Only while it is pending. */
  queue: Type.Optional(QueuePlace),
});
export type EditablePlugin = Static<typeof EditablePlugin>;

/** Limits of a publisher, and how much of them is used. */
export const PublishRules = Type.Object({
  may_mark: Type.Boolean(),
  is_limited: Type.Boolean(),
  limits: Type.Array(
    Type.Object({ max: Type.Integer(), window_seconds: Type.Integer(), used: Type.Integer() }),
  ),
  quota_bytes: Type.Integer(),
  used_bytes: Type.Integer(),
  /** Codes and names of tags that packages may use. */
  tag_list: Type.Optional(Type.Array(Type.Object({ code: Type.String(), names: Type.Array(Type.String()) }))),
  /** Listings have formatted descriptions, licence, links and what is collected. */
  has_facts: Type.Optional(Type.Boolean()),
});
export type PublishRules = Static<typeof PublishRules>;

/** A token for a publisher's command line; its secret is shown only once, after its creation. */
export const PublishToken = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  /** First characters of the secret, to distinguish tokens. */
  hint: Type.String(),
  /** The only plugin that it may publish, or null for all of its owner's plugins and new ones. */
  plugin_key: Nullable(PluginKey),
  created_at: Timestamp,
  expires_at: Timestamp,
  last_used_at: Nullable(Timestamp),
  revoked_at: Nullable(Timestamp),
});
export type PublishToken = Static<typeof PublishToken>;

/** A valid publish token, for a super administrator. */
export const ManagedToken = Type.Object({
  ...PublishToken.properties,
  /** Name of its plugin; null for a token of all plugins. */
  plugin_name: Nullable(Type.String()),
  owner: PublicUser,
});
export type ManagedToken = Static<typeof ManagedToken>;

/** An installed plugin; a deleted one keeps working until it is uninstalled. */
export const InstalledPlugin = Type.Object({
  plugin: Type.Object(PluginCard.properties, FALLBACK_BESIDE),
  /** Still in the marketplace. */
  is_available: Type.Boolean(),
  ...Installation.properties,
  installed_at: Timestamp,
});

/** A liked plugin; a deleted or hidden one can still be unliked. */
export const LikedPlugin = Type.Object({
  plugin: PluginCard,
  /** Still in the marketplace. */
  is_available: Type.Boolean(),
  liked_at: Timestamp,
});
