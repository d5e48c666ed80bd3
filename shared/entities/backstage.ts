import { type Static, Type } from 'typebox';
import { MARK_COLORS, TEXT_LIMITS } from '../constants.ts';
import { INSTEAD_FROM_BESIDE, LanguageName, Nullable, PluginKey, TextsSchema, Timestamp } from './base.ts';
import { AuditStatus, Listing, Picture, PluginCard, PluginDetail } from './plugin.ts';
import { ReviewItem } from './review.ts';
import { PublicUser } from './user.ts';

/** An earlier decision on a plugin. */
const Decision = Type.Object({
  submission_id: Type.Integer(),
  version: Type.String(),
  audit_status: AuditStatus,
  reason: Nullable(Type.String()),
  reviewer: PublicUser,
  decided_at: Timestamp,
});

/** What a version of a plugin may reach and use, and the editors it runs in (shared/package/permission-changes.ts). */
const PluginRights = Type.Object({
  /** "*" = any. */
  domains: Type.Array(Type.String()),
  permissions: Type.Array(Type.String()),
  editors: Type.Array(Type.String()),
});
/** Names in the caller's language, by code. */
const Names = Type.Record(Type.String(), Type.String());

/** Everything a reviewer looks at. */
export const AuditDetail = Type.Object({
  item: ReviewItem,
  /** The plugin's page as users will see it. */
  preview: PluginDetail,
  listing: Listing,
  version_note: TextsSchema(2000),
  /** What passed last, or null when nothing has. */
  passed: Nullable(Type.Object({ version: Type.String(), listing: Listing })),
  /** What the version asks for, and what the one that others have (null: there is none); null where not known. */
  rights: Nullable(
    Type.Object({
      asked: PluginRights,
      published: Nullable(Type.Object({ version: Type.String(), rights: PluginRights })),
    }),
  ),
  /** What the tags and marks are called that the listings name. */
  tag_names: Names,
  mark_names: Names,
  history: Type.Array(Decision),
});
export type AuditDetail = Static<typeof AuditDetail>;

/** One file of the package under review beside the same of the last passed version. */
export const CodeFile = Type.Object({
  name: Type.String(),
  change: Type.Union([
    Type.Literal('added'),
    Type.Literal('removed'),
    Type.Literal('changed'),
    Type.Literal('same'),
  ]),
  before: Nullable(Type.String()),
  after: Nullable(Type.String()),
  /** A side is too long to be shown whole; `change` still tells of all of it. */
  is_cut: Type.Boolean(),
});
export type CodeFile = Static<typeof CodeFile>;

/** Data of a 409: who was faster, and with what. */
export const DecisionConflict = Type.Object({
  by: PublicUser,
  at: Timestamp,
  audit_status: Nullable(AuditStatus),
  reason: Nullable(Type.String()),
});
export type DecisionConflict = Static<typeof DecisionConflict>;

/** A row of plugin management. */
export const ManagedPlugin = Type.Object({
  plugin: Type.Object(PluginCard.properties, INSTEAD_FROM_BESIDE),
  audit_status: AuditStatus,
  is_live: Type.Boolean(),
  is_hidden: Type.Boolean(),
  is_recommended: Type.Boolean(),
  /** Place among the recommended, from 0. */
  recommended_position: Nullable(Type.Integer()),
  is_silent: Type.Boolean(),
  open_report_count: Type.Integer(),
  created_at: Timestamp,
});
export type ManagedPlugin = Static<typeof ManagedPlugin>;

/** A banner as administrators edit it. */
export const ManagedBanner = Type.Object({
  id: Type.Integer(),
  redirect_url: Type.String(),
  title: TextsSchema(200),
  default_lang: LanguageName,
  picture: Nullable(Picture),
  position: Type.Integer(),
  /** It has a link and a picture. */
  is_shown: Type.Boolean(),
});
export type ManagedBanner = Static<typeof ManagedBanner>;

/** A tag as administrators keep it. */
export const ManagedTag = Type.Object({
  id: Type.Integer(),
  code: Type.String(),
  name: TextsSchema(TEXT_LIMITS.tag),
  /** Offered to nobody; plugins keep it. */
  is_hidden: Type.Boolean(),
  /** Plugins that have it, or will when what waits for review passes. */
  plugin_count: Type.Integer(),
});
export type ManagedTag = Static<typeof ManagedTag>;

/** A featured work of the community as administrators edit it. */
export const ManagedWork = Type.Object({
  id: Type.Integer(),
  title: TextsSchema(200),
  default_lang: LanguageName,
  author: Type.String(),
  url: Type.String(),
  picture: Nullable(Picture),
  view_num: Type.Integer(),
  like_num: Type.Integer(),
  is_hidden: Type.Boolean(),
  /** Visitors see it: it is among the first of those that are not hidden. */
  is_shown: Type.Boolean(),
});
export type ManagedWork = Static<typeof ManagedWork>;

/** The activity card as administrators edit it. */
export const ManagedActivity = Type.Object({
  view_num: Type.Integer(),
  participate_num: Type.Integer(),
  cover: Nullable(Picture),
  tutorial_url: Type.String(),
  is_hidden: Type.Boolean(),
});
export type ManagedActivity = Static<typeof ManagedActivity>;

/** What of a site is filled: true or false, or null where this cannot be known. */
export const Checklist = Type.Object({
  tags: Type.Boolean(),
  recommended: Type.Boolean(),
  banners: Type.Boolean(),
  works: Type.Boolean(),
  activity: Type.Boolean(),
  /** One by which people join the feedback group. */
  qr_code: Type.Boolean(),
  /** The deployment's own texts, not those that come with the product. */
  protocol: Nullable(Type.Boolean()),
  /** Mails are sent. */
  mail: Nullable(Type.Boolean()),
});
export type Checklist = Static<typeof Checklist>;
/** A mark as administrators keep it. */
export const ManagedMark = Type.Object({
  id: Type.Integer(),
  code: Type.String(),
  name: TextsSchema(TEXT_LIMITS.mark),
  color: Type.Enum(MARK_COLORS),
  /** Shown on no plugin; those that have it keep it. */
  is_hidden: Type.Boolean(),
  /** Plugins that have it, or will when what waits for review passes. */
  plugin_count: Type.Integer(),
});
export type ManagedMark = Static<typeof ManagedMark>;

/** Who did what, when and why. */
export const TrailEntry = Type.Object({
  id: Type.Integer(),
  actor: PublicUser,
  action: Type.String(),
  target_kind: Type.String(),
  target_id: Type.String(),
  /** What the target was called then. */
  target_name: Type.String(),
  detail: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])),
  created_at: Timestamp,
});
export type TrailEntry = Static<typeof TrailEntry>;

/** Numbers of one day. */
export const DayFigures = Type.Object({
  /** YYYY-MM-DD, in UTC. */
  day: Type.String(),
  installs: Type.Integer(),
  /** On the day of their install, neither counts. */
  uninstalls: Type.Integer(),
  views: Type.Integer(),
  likes: Type.Integer(),
  publications: Type.Integer(),
  /** Waiting for review at the end of the day. */
  waiting: Type.Integer(),
});
export type DayFigures = Static<typeof DayFigures>;

export const Statistics = Type.Object({
  plugin_key: Nullable(PluginKey),
  days: Type.Array(DayFigures),
  totals: Type.Object({
    installs: Type.Integer(),
    views: Type.Integer(),
    likes: Type.Integer(),
    plugins: Type.Integer(),
    waiting: Type.Integer(),
    open_reports: Type.Integer(),
  }),
});
export type Statistics = Static<typeof Statistics>;

const interactions = {
  views: Type.Integer(),
  installs: Type.Integer(),
  /** On the day of their install, neither counts. */
  uninstalls: Type.Integer(),
  likes: Type.Integer(),
};

/** How plugins do, as their publisher sees it. */
export const OwnStatistics = Type.Object({
  /** Null: all plugins of the caller together. */
  plugin_key: Nullable(PluginKey),
  /** The last one is today, YYYY-MM-DD in UTC. */
  days: Type.Array(Type.Object({ day: Type.String(), ...interactions })),
  /** The same number of days before these, added up. */
  before: Type.Object(interactions),
  totals: Type.Object({
    views: Type.Integer(),
    /** Who has it now. */
    installs: Type.Integer(),
    likes: Type.Integer(),
    plugins: Type.Integer(),
  }),
});
export type OwnStatistics = Static<typeof OwnStatistics>;
