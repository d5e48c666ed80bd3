import { type Static, Type } from 'typebox';
import { TEXT_LIMITS } from '../constants.ts';
import {
  INSTEAD_FROM_BESIDE,
  NEEDED,
  Nullable,
  PluginKey,
  PluginKeyIfTold,
  TextsSchema,
  Timestamp,
} from './base.ts';
import { Finding } from './finding.ts';
import { AuditStatus, Installation, Listing, PluginCard, Tag } from './plugin.ts';
import { PublicUser } from './user.ts';

/** A version brings something new, or mends the one before (specification section 3, "version content"). */
export const VersionKind = Type.Union([Type.Literal('new'), Type.Literal('fixed')]);
export type VersionKind = Static<typeof VersionKind>;

/** Query of a publishing call that only checks and stores nothing. */
export const DryRun = Type.Object({ dry_run: Type.Optional(Type.Literal(1)) });

/** What publishing answers at once. */
export const PublishResult = Type.Object({
  plugin_key: PluginKeyIfTold,
  version: Type.String(),
  audit_status: AuditStatus,
  findings: Type.Array(Finding),
});
export type PublishResult = Static<typeof PublishResult>;

/** One item of a batch upload: one bad file never sinks the rest. */
export const BatchResult = Type.Object({
  file: Type.String(),
  /** Place in the file's array; 0 for a file of one package. */
  index: Type.Integer(),
  ok: Type.Boolean(),
  plugin_key: Type.Optional(PluginKey),
  version: Type.Optional(Type.String()),
  /** True when it became a version of a plugin that was there. */
  is_new_version: Type.Optional(Type.Boolean()),
  errors: Type.Array(Finding),
  warnings: Type.Array(Finding),
});
export type BatchResult = Static<typeof BatchResult>;

/**
 * What was submitted for review: a listing as it stood then, with a version or for the one that is there. The card
 * shows the listing submitted; its counters are the plugin's.
 */
export const AuditItem = Type.Object({
  submission_id: Type.Integer(),
  plugin: Type.Object(PluginCard.properties, INSTEAD_FROM_BESIDE),
  version: Type.String(),
  version_kind: VersionKind,
  /** The version came with it; false for a change of the listing alone. */
  brings_version: Type.Boolean(),
  /** The plugin has never passed before. */
  is_first: Type.Boolean(),
  /** Others see the plugin, in what passed last. */
  is_live: Type.Boolean(),
  /** The version that who installs it gets; null before one has passed. */
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
  /** The administrator who is at it, and until when. */
  claimed_by: Nullable(PublicUser),
  claimed_until: Nullable(Timestamp),
});
export type AuditItem = Static<typeof AuditItem>;

/** Where a submission that waits stands among all that wait, and how long that usually takes. */
export const QueuePlace = Type.Object({
  /** In the order in which reviewers are shown what waits, from 1; estimated, it is further behind. */
  place: Type.Integer({ minimum: 1, ...NEEDED }),
  place_estimated: Type.Boolean(),
  /** Whole hours within which most of the latest decisions were made; null while there are too few to tell. */
  usual_wait_hours: Nullable(Type.Integer()),
  /** It has been waiting for longer than that. */
  is_late: Type.Boolean(),
});
export type QueuePlace = Static<typeof QueuePlace>;

/** The same as its publisher sees it. */
export const OwnPlugin = Type.Object({
  ...AuditItem.properties,
  /** Installs of each of the last 30 days, in UTC, today last; some seconds old. */
  daily_installs: Type.Optional(Type.Array(Type.Integer())),
  /** While it waits. */
  queue: Type.Optional(QueuePlace),
});
export type OwnPlugin = Static<typeof OwnPlugin>;

/** The same as one administrator sees it who reviews. */
export const ReviewItem = Type.Object({
  ...AuditItem.properties,
  /** The caller has handed it in, or a publish token of theirs has. */
  is_own: Type.Boolean(),
  /** It is the caller's own, and this deployment lets nobody decide on that (setting REVIEW_OWN_SUBMISSIONS). */
  is_barred: Type.Boolean(),
  /** The caller has had its view, or a claim on it. */
  is_opened: Type.Boolean(),
});
export type ReviewItem = Static<typeof ReviewItem>;

/** A plugin as its publisher edits it: what they submitted last. */
export const EditablePlugin = Type.Object({
  plugin_key: PluginKey,
  /** Newest submission, to be named as `based_on` of the next change. */
  submission_id: Type.Integer(),
  listing: Listing,
  /** Those of its tags that are hidden: it may keep them, and nobody else is offered them. */
  hidden_tags: Type.Optional(Type.Array(Tag)),
  audit_status: AuditStatus,
  reason: Nullable(Type.String()),
  findings: Type.Array(Finding),
  /** Version the submission is about, its note, and the greatest version number there ever was. */
  version: Type.String(),
  version_kind: VersionKind,
  version_note: TextsSchema(TEXT_LIMITS.version_note),
  last_version: Type.String(),
  current_version: Nullable(Type.String()),
  /** While it waits. */
  queue: Type.Optional(QueuePlace),
});
export type EditablePlugin = Static<typeof EditablePlugin>;

/** What a publisher must keep to, and how much of it is used. */
export const PublishRules = Type.Object({
  may_mark: Type.Boolean(),
  is_limited: Type.Boolean(),
  limits: Type.Array(
    Type.Object({ max: Type.Integer(), window_seconds: Type.Integer(), used: Type.Integer() }),
  ),
  quota_bytes: Type.Integer(),
  used_bytes: Type.Integer(),
  /** All that packages may call the tags. */
  tag_list: Type.Optional(Type.Array(Type.Object({ code: Type.String(), names: Type.Array(Type.String()) }))),
});
export type PublishRules = Static<typeof PublishRules>;

/** A token of a publisher's command line; the secret itself is shown once, when it is made. */
export const PublishToken = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  /** First characters of the secret, to tell tokens apart. */
  hint: Type.String(),
  /** The one plugin it is good for, or null for all of its owner's and new ones. */
  plugin_key: Nullable(PluginKey),
  created_at: Timestamp,
  expires_at: Timestamp,
  last_used_at: Nullable(Timestamp),
  revoked_at: Nullable(Timestamp),
});
export type PublishToken = Static<typeof PublishToken>;

/** A publish token that works, as a super administrator sees it. */
export const ManagedToken = Type.Object({
  ...PublishToken.properties,
  /** What the plugin it is bound to is called in its own language; null for a token of all plugins. */
  plugin_name: Nullable(Type.String()),
  owner: PublicUser,
});
export type ManagedToken = Static<typeof ManagedToken>;

/** A plugin somebody has installed; one that was deleted keeps working until it is uninstalled. */
export const InstalledPlugin = Type.Object({
  plugin: Type.Object(PluginCard.properties, INSTEAD_FROM_BESIDE),
  /** Still in the marketplace. */
  is_available: Type.Boolean(),
  ...Installation.properties,
  installed_at: Timestamp,
});

/** A plugin somebody likes; one that was deleted or hidden since can still be unliked. */
export const LikedPlugin = Type.Object({
  plugin: PluginCard,
  /** Still in the marketplace. */
  is_available: Type.Boolean(),
  liked_at: Timestamp,
});
