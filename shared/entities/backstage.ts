import { type Static, Type } from 'typebox';
import { MARK_COLORS, TEXT_LIMITS, WITHDRAWAL_REASONS } from '../constants.ts';
import {
  FALLBACK_BESIDE,
  Id,
  LanguageName,
  Nullable,
  PluginKey,
  REQUIRED,
  TextsSchema,
  Timestamp,
} from './base.ts';
import { HostSpan } from './host.ts';
import { AuditStatus, Listing, Picture, PluginCard, PluginDetail, Withdrawal } from './plugin.ts';
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

/** Domains, permissions and editors of a plugin version (shared/package/permission-changes.ts). */
const PluginRights = Type.Object({
  /** "*" = any. */
  domains: Type.Array(Type.String()),
  permissions: Type.Array(Type.String()),
  editors: Type.Array(Type.String()),
});
/** Names by code, in the caller's language. */
const Names = Type.Record(Type.String(), Type.String());

/** Everything that a reviewer needs. */
export const AuditDetail = Type.Object({
  item: ReviewItem,
  /** The plugin's page as users will see it. */
  preview: PluginDetail,
  listing: Listing,
  version_note: TextsSchema(2000),
  /** The last approved listing, or null. */
  passed: Nullable(Type.Object({ version: Type.String(), listing: Listing })),
  /** Rights of this version and of the published one (null if there is none); null if unknown. */
  rights: Nullable(
    Type.Object({
      asked: PluginRights,
      /** Design tools that the version works in; empty for all. */
      hosts: Type.Optional(Type.Array(HostSpan)),
      published: Nullable(
        Type.Object({
          version: Type.String(),
          rights: PluginRights,
          hosts: Type.Optional(Type.Array(HostSpan)),
        }),
      ),
    }),
  ),
  /** Names of the tags and marks of the listings. */
  tag_names: Names,
  mark_names: Names,
  history: Type.Array(Decision),
});
export type AuditDetail = Static<typeof AuditDetail>;

/** A file of the package under review and of the last approved version. */
export const CodeFile = Type.Object({
  /**
   * `file` is what the package holds under this name. The other two are made for the review: its manifest, or all of it if it
   * cannot be read. A file may have the same name.
   */
  kind: Type.Union([Type.Literal('file'), Type.Literal('manifest'), Type.Literal('package')]),
  name: Type.String(),
  change: Type.Union([
    Type.Literal('added'),
    Type.Literal('removed'),
    Type.Literal('changed'),
    Type.Literal('same'),
  ]),
  before: Nullable(Type.String()),
  after: Nullable(Type.String()),
  /** A side is too long and was cut; `change` is still about the whole file. */
  is_cut: Type.Boolean(),
});
export type CodeFile = Static<typeof CodeFile>;

/** Data of a 409: the other change and its author. */
export const DecisionConflict = Type.Object({
  by: PublicUser,
  at: Timestamp,
  audit_status: Nullable(AuditStatus),
  reason: Nullable(Type.String()),
});
export type DecisionConflict = Static<typeof DecisionConflict>;

/** What an administrator wants to withdraw or restore, for another one to confirm (setting WITHDRAW_FOUR_EYES). */
export const WithdrawalProposal = Type.Object({
  id: Id,
  /** Null for all plugins of `publisher`. */
  plugin: Nullable(Type.Object({ plugin_key: PluginKey, name: Type.String() })),
  /** Null for the whole plugin. */
  version: Nullable(Type.String()),
  publisher: Nullable(PublicUser),
  /** False to restore. */
  is_withdrawn: Type.Boolean(),
  /** Null to restore. */
  withdrawal: Nullable(
    Type.Object({
      reason: Type.Enum(WITHDRAWAL_REASONS),
      text: TextsSchema(TEXT_LIMITS.reason),
      must_stop: Type.Boolean(),
    }),
  ),
  proposed_by: PublicUser,
  proposed_at: Timestamp,
  /** The caller has proposed it, so that another administrator confirms it. */
  is_own: Type.Boolean(),
});
export type WithdrawalProposal = Static<typeof WithdrawalProposal>;

/** A row of plugin management. */
export const ManagedPlugin = Type.Object({
  plugin: Type.Object(PluginCard.properties, FALLBACK_BESIDE),
  audit_status: AuditStatus,
  is_live: Type.Boolean(),
  is_hidden: Type.Boolean(),
  /** Deleted by its publisher or an administrator; only in the list of deleted plugins. */
  is_deleted: Type.Optional(Type.Boolean()),
  withdrawal: Type.Optional(Nullable(Withdrawal)),
  is_recommended: Type.Boolean(),
  /** Position among the recommended ones, from 0. */
  recommended_position: Nullable(Type.Integer()),
  is_silent: Type.Boolean(),
  open_report_count: Type.Integer(),
  created_at: Timestamp,
});
export type ManagedPlugin = Static<typeof ManagedPlugin>;

/** A banner in the administration. */
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

/** A tag in the administration. */
export const ManagedTag = Type.Object({
  id: Type.Integer(),
  code: Type.String(),
  name: TextsSchema(TEXT_LIMITS.tag),
  /** What the page of the tag begins with. */
  intro: TextsSchema(TEXT_LIMITS.tag_intro),
  /** Not offered to publishers; existing plugins keep it. */
  is_hidden: Type.Boolean(),
  /** Number of plugins with it, including pending submissions. */
  plugin_count: Type.Integer(),
});
export type ManagedTag = Static<typeof ManagedTag>;

/** A featured work of the community in the administration. */
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
  /** Whether visitors see it: it is among the first that are not hidden. */
  is_shown: Type.Boolean(),
});
export type ManagedWork = Static<typeof ManagedWork>;

/** The activity card in the administration. */
export const ManagedActivity = Type.Object({
  view_num: Type.Integer(),
  participate_num: Type.Integer(),
  cover: Nullable(Picture),
  tutorial_url: Type.String(),
  is_hidden: Type.Boolean(),
});
export type ManagedActivity = Static<typeof ManagedActivity>;

/** Which parts of a site are set up; null if unknown. */
export const Checklist = Type.Object({
  /** The database is less than a week old. */
  is_new: Type.Boolean(),
  /** Something was published, imported or submitted. */
  plugins: Type.Boolean(),
  /** There are members besides the first administrator, or another way to sign in. */
  members: Nullable(Type.Boolean()),
  /** A name, a colour or a logo of its own. */
  brand: Nullable(Type.Boolean()),
  site_url: Nullable(Type.Boolean()),
  /** The address of the design tool is known, also by that of the site. */
  app_url: Nullable(Type.Boolean()),
  tags: Type.Boolean(),
  recommended: Type.Boolean(),
  banners: Type.Boolean(),
  works: Type.Boolean(),
  activity: Type.Boolean(),
  /** A QR code for the feedback group. */
  qr_code: Type.Boolean(),
  /** The deployment's own texts instead of the built-in ones. */
  protocol: Nullable(Type.Boolean()),
  /** Mails are sent. */
  mail: Nullable(Type.Boolean()),
});
export type Checklist = Static<typeof Checklist>;
/** A mark in the administration. */
export const ManagedMark = Type.Object({
  id: Type.Integer(),
  code: Type.String(),
  name: TextsSchema(TEXT_LIMITS.mark),
  color: Type.Enum(MARK_COLORS),
  /** Not shown on any plugin; plugins keep it. */
  is_hidden: Type.Boolean(),
  /** Number of plugins with it, including pending submissions. */
  plugin_count: Type.Integer(),
});
export type ManagedMark = Static<typeof ManagedMark>;

/** An entry of the audit log. */
export const AuditLogEntry = Type.Object({
  id: Type.Integer(),
  actor: PublicUser,
  action: Type.String(),
  target_kind: Type.String(),
  target_id: Type.String(),
  /** Name of the target at that time. */
  target_name: Type.String(),
  detail: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])),
  created_at: Timestamp,
});
export type AuditLogEntry = Static<typeof AuditLogEntry>;

/** Numbers of one day. */
export const DailyStatistics = Type.Object({
  /** YYYY-MM-DD, in UTC. */
  day: Type.String(),
  installs: Type.Integer(),
  /** An install and uninstall on the same day are not counted. */
  uninstalls: Type.Integer(),
  views: Type.Integer(),
  likes: Type.Integer(),
  publications: Type.Integer(),
  /** Waiting for review at the end of the day. */
  waiting: Type.Integer(),
});
export type DailyStatistics = Static<typeof DailyStatistics>;

export const Statistics = Type.Object({
  plugin_key: Nullable(PluginKey),
  days: Type.Array(DailyStatistics),
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
  /** An install and uninstall on the same day are not counted. */
  uninstalls: Type.Integer(),
  /** Each person and version once. */
  downloads: Type.Integer(),
  likes: Type.Integer(),
};

/** Statistics for a publisher. */
export const OwnStatistics = Type.Object({
  /** Null for all plugins of the caller. */
  plugin_key: Nullable(PluginKey),
  /** The last one is today, YYYY-MM-DD in UTC. `active`: active installs, as last counted. */
  days: Type.Array(
    Type.Object({ day: Type.String(), ...interactions, active: Type.Optional(Type.Integer()) }),
  ),
  /** Totals of the same number of days before. */
  before: Type.Object(interactions),
  totals: Type.Object({
    views: Type.Integer(),
    /** Current installs. */
    installs: Type.Integer(),
    likes: Type.Integer(),
    plugins: Type.Integer(),
    /** Current active installs; null while they are not counted. */
    active: Type.Optional(Nullable(Type.Integer())),
  }),
});
export type OwnStatistics = Static<typeof OwnStatistics>;

/** A keyword that found nothing, as often as it was searched for by anybody. */
export const MissedSearch = Type.Object({
  keyword: Type.String(REQUIRED),
  count: Type.Integer(),
  /** YYYY-MM-DD in UTC. */
  last_day: Type.String(),
});
export type MissedSearch = Static<typeof MissedSearch>;
