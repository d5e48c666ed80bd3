import { type Static, Type } from 'typebox';
import {
  AUDIT_PASSED,
  AUDIT_REFUSED,
  AUDIT_WAITING,
  DATA_KINDS,
  DESCRIPTION_FORMATS,
  MARK_COLORS,
  TEXT_LIMITS,
  WITHDRAWAL_REASONS,
} from '../constants.ts';
import type { Tolerance } from '../shape.ts';
import {
  Cursor,
  FileKey,
  fallbackField,
  Id,
  LanguageName,
  Nullable,
  PluginKey,
  REQUIRED,
  TextsSchema,
  Timestamp,
  Total,
  withDefault,
} from './base.ts';
import { HostSpan } from './host.ts';
import { TextBlock } from './text-blocks.ts';
import { Digest } from './transparency.ts';
import { PublicUser } from './user.ts';

export const Tag = Type.Object({
  id: Type.Integer(REQUIRED),
  name: Type.String(REQUIRED),
  code: Type.String(fallbackField('id')),
});
export type Tag = Static<typeof Tag>;

/** A stored picture; its addresses consist of `key` and one of `widths` (shared/media.ts). */
export const Picture = Type.Object({
  key: FileKey,
  width: Type.Integer(withDefault(1280)),
  height: Type.Integer(withDefault(720)),
  widths: Type.Array(Type.Integer(REQUIRED), REQUIRED),
});
export type Picture = Static<typeof Picture>;

export const MediaItem = Type.Union([
  Type.Object({
    kind: Type.Literal('image'),
    picture: Picture,
    /** What the picture right before it in the list looked like before; both are one item, its *after* first. */
    is_before: Type.Optional(Type.Boolean()),
  }),
  Type.Object({ kind: Type.Literal('video'), url: Type.String(REQUIRED), mime_type: Type.String() }),
]);
export type MediaItem = Static<typeof MediaItem>;

const AUDIT_STATUSES = [
  Type.Literal(AUDIT_WAITING),
  Type.Literal(AUDIT_PASSED),
  Type.Literal(AUDIT_REFUSED),
] as const;
export const AuditStatus = Type.Union([...AUDIT_STATUSES]);

/** A label of a plugin by administrators: official, verified, new. */
export const Mark = Type.Object({
  name: Type.String(),
  /** Language of the name, which may differ from the requested one. */
  lang: LanguageName,
  color: Type.Enum(MARK_COLORS),
});
export type Mark = Static<typeof Mark>;

const card = {
  plugin_key: PluginKey,
  /** 1 liked by the caller, else -1. */
  is_praise: Type.Union([Type.Literal(1), Type.Literal(-1)], withDefault(-1)),
  is_installed: Type.Boolean(),
  name: Type.String(fallbackField('plugin_key')),
  intro: Type.String(),
  /** Language of `name`, and of `intro` without `intro_lang`, which may differ from the requested one. */
  lang: LanguageName,
  /** Language of `intro` where it is another one. */
  intro_lang: Type.Optional(LanguageName),
  icon: Nullable(Picture),
  cover: Nullable(Picture),
  tags: Type.Array(Tag),
  publisher: PublicUser,
  /** Code of the plugin's mark, or empty (R 5.2). */
  plugin_mark: Type.String(),
  /** The shown mark; null if there is none or it is hidden. Absent from services that only have codes. */
  mark: Type.Optional(Nullable(Mark)),
  version: Type.String(),
  praise_count: Type.Integer(),
  install_count: Type.Integer(),
  /** Installs of accounts that used the site or a tool in the last 30 days; null or absent while they are not counted. */
  active_count: Type.Optional(Nullable(Type.Integer())),
  view_count: Type.Integer(),
  updated_at: Timestamp,
  is_deprecated: Type.Optional(Type.Boolean()),
  /** Installed by the caller, and published in another version since then. */
  is_updated: Type.Optional(Type.Boolean()),
};

/** List item (R 3.3). */
export const PluginCard = Type.Object(card);
export type PluginCard = Static<typeof PluginCard>;

/** Plugins that a bundle is adding: how many of how many. */
export const Filling = Type.Object({
  done: Type.Integer(),
  total: Type.Integer(),
});
export type Filling = Static<typeof Filling>;

/** List response (R 3.3). `next_cursor` is null on the last page. */
export const PluginPage = Type.Object({
  ...Total,
  total: Type.Integer(fallbackField('plugin_list')),
  next_cursor: Nullable(Cursor),
  plugin_list: Type.Array(PluginCard),
  /** What was searched for as nothing matches the keyword; empty if these are names that are almost alike. */
  corrected: Type.Optional(Type.String()),
  /** On the first page of a list without a keyword, while plugins are being added. */
  filling: Type.Optional(Filling),
});
export type PluginPage = Static<typeof PluginPage>;

/** What a search may mean while it is typed, best match first. */
export const Suggestions = Type.Object({
  plugin_list: Type.Array(
    Type.Object({
      plugin_key: PluginKey,
      name: Type.String(fallbackField('plugin_key')),
      /** Language of the name, which may differ from the requested one. */
      lang: LanguageName,
      icon: Nullable(Picture),
    }),
  ),
  /** Publishers with a page; a service without them leaves it out. */
  publisher_list: Type.Optional(Type.Array(PublicUser)),
  tag_list: Type.Array(Tag),
});
export type Suggestions = Static<typeof Suggestions>;

/** Reasons why other users do not see a plugin. */
const UNPUBLISHED = ['waiting', 'rejected', 'hidden', 'withdrawn'] as const;
export type Unpublished = (typeof UNPUBLISHED)[number];
/** State of a plugin that its publisher tries before its publication. */
const TRIALS = ['waiting', 'rejected', 'deleted'] as const;

/** Why and when an administrator withdrew a plugin or a version: nobody gets it any more (R 7.17). */
export const Withdrawal = Type.Object({
  reason: Type.Enum(WITHDRAWAL_REASONS, withDefault('policy')),
  /** What happened, in the reader's language if it was written in it. */
  text: Type.String(),
  text_lang: LanguageName,
  /** Users must stop using it; otherwise they may keep what they have. */
  must_stop: Type.Boolean(),
  withdrawn_at: Timestamp,
});
export type Withdrawal = Static<typeof Withdrawal>;

/** What users of a deprecated plugin may move to; it is listed. */
export const Successor = Type.Object({
  plugin_key: PluginKey,
  name: Type.String(),
  /** Language of the name, which may differ from the requested one. */
  lang: LanguageName,
});
export type Successor = Static<typeof Successor>;

const deprecation = {
  /** What its users are told, in the reader's language if it was written in it; empty without a text. */
  text: Type.String(),
  text_lang: LanguageName,
  deprecated_at: Timestamp,
};

/** A plugin that is no longer maintained: it goes on working, and there may be another one to use. */
export const Deprecation = Type.Object({ ...deprecation, successor: Nullable(Successor) });
export type Deprecation = Static<typeof Deprecation>;

/** The rights of a version beyond those that the caller has accepted. */
const MoreRights = {
  version: Type.String(REQUIRED),
  domains: Type.Array(Type.String(REQUIRED)),
  permissions: Type.Array(Type.String(REQUIRED)),
};

/** The same for who has the plugin: with what moving would ask of them, nothing if it needs no consent. */
export const InstalledDeprecation = Type.Object({
  ...deprecation,
  successor: Nullable(Type.Object({ ...Successor.properties, ...MoreRights })),
});
export type InstalledDeprecation = Static<typeof InstalledDeprecation>;

/** What a version is verified by (docs/verify.md); absent from services that do not sign. */
const proof = {
  /** SHA-256 of what is downloaded of the package, and its bytes; null without a package. */
  digest: Type.Optional(Nullable(Digest)),
  size: Type.Optional(Nullable(Type.Integer())),
  /** JWS of the approval; null until it is approved and signed. */
  signature: Type.Optional(Nullable(Type.String())),
};

/** What was withdrawn after it had been published, as everybody may read it (R 7.19). */
export const RemovedPlugin = Type.Object({
  id: Id,
  plugin_key: PluginKey,
  name: Type.String(),
  /** Null for the whole plugin. */
  version: Nullable(Type.String()),
  ...Withdrawal.properties,
});
export type RemovedPlugin = Static<typeof RemovedPlugin>;

/** `pinned`: a version and no other. `paused`: no updates, but for security releases. */
export const HOLDS = ['pinned', 'paused'] as const;
export type Hold = (typeof HOLDS)[number];

/** The installed version of a user, and a newer version that needs their consent to more rights. */
export const Installation = Type.Object({
  /** The version that the package call returns; empty if none is available. */
  version: Type.String(),
  update_available: Type.Boolean(),
  /** The available version, with its rights beyond those that the caller has accepted. */
  update: Nullable(Type.Object(MoreRights)),
  /** A version under review that only its publisher has installed; null for a normal install. */
  trial: Nullable(Type.Enum(TRIALS)),
  /** The version that the caller has decided to stay with: no other comes, or only a security release. */
  hold: Type.Optional(Nullable(Type.Object({ kind: Type.Enum(HOLDS), version: Type.String(REQUIRED) }))),
  /** A newer version that comes once it is old enough. */
  waiting: Type.Optional(Nullable(Type.Object({ version: Type.String(REQUIRED), from: Timestamp }))),
  /** Set if the package call answers 410: nothing else can be delivered in place of what was withdrawn. */
  withdrawal: Type.Optional(Nullable(Withdrawal)),
  deprecation: Type.Optional(Nullable(InstalledDeprecation)),
  ...proof,
});
export type Installation = Static<typeof Installation>;

/** What a publisher declares to collect: nothing, if there are neither kinds nor words. */
export const DataCollected = Type.Object({
  kinds: Type.Array(Type.Enum(DATA_KINDS)),
  /** What is none of the kinds. */
  other: TextsSchema(TEXT_LIMITS.data_collected),
});
export type DataCollected = Static<typeof DataCollected>;

/** What people decide by beside the texts; absent from services that do not know it. */
const facts = {
  /** `url` describes it if it is one of the SPDX list, whose id `name` is then. */
  license: Type.Optional(
    Nullable(Type.Object({ name: Type.String(REQUIRED), url: Nullable(Type.String()) })),
  ),
  /** Addresses of https, each empty without one. */
  home_page: Type.Optional(Type.String()),
  source_url: Type.Optional(Type.String()),
  issues_url: Type.Optional(Type.String()),
  /** Null if the publisher has declared nothing. */
  data_collected: Type.Optional(
    Nullable(
      Type.Object({ kinds: Type.Array(Type.Enum(DATA_KINDS)), other: Type.String(), lang: LanguageName }),
    ),
  ),
  /** Null before the first approval. */
  releases: Type.Optional(
    Nullable(
      Type.Object({
        first_at: Timestamp,
        /** When the version came that users install now. */
        latest_at: Timestamp,
        /** Versions of the last twelve months. */
        last_year: Type.Integer(),
      }),
    ),
  ),
  /** What the version asks for beyond the one before it; null for a first version. */
  added_rights: Type.Optional(
    Nullable(
      Type.Object({
        since: Type.String(REQUIRED),
        domains: Type.Array(Type.String(REQUIRED)),
        permissions: Type.Array(Type.String(REQUIRED)),
      }),
    ),
  ),
};

export const PluginDetail = Type.Object({
  ...card,
  /** As plain text. */
  description: Type.String(),
  description_lang: LanguageName,
  /** The same with its formats, if it was written in Markdown. */
  description_blocks: Type.Optional(Type.Array(TextBlock)),
  ...facts,
  /** Languages in which all of name, intro and description are written. */
  languages: Type.Array(LanguageName),
  media: Type.Array(MediaItem),
  /** Screenshot of the plugin in the editor. */
  panel: Type.Optional(Nullable(Picture)),
  contact: Type.String(),
  support: Type.String(),
  /** Absent from services with one text for all languages. */
  support_lang: Type.Optional(LanguageName),
  copyright: Type.Object({
    kind: Type.Union([Type.Literal('author'), Type.Literal('custom')]),
    holder: Type.String(),
  }),
  /** Domains that the package may access: empty = none, "*" = any; null if an external service does not know. */
  allowed_domains: Nullable(Type.Array(Type.String())),
  /** Permissions and editors of the package; null or absent if unknown. */
  permissions: Type.Optional(Nullable(Type.Array(Type.String()))),
  editor_types: Type.Optional(Nullable(Type.Array(Type.String()))),
  /** Design tools that it works in; empty for all. */
  hosts: Type.Optional(Type.Array(HostSpan)),
  package_bytes: Type.Integer(),
  ...proof,
  audit_status: AuditStatus,
  /** Reason why others do not see the plugin, for users who do; version and package are then the submitted ones. */
  unpublished: Type.Optional(Nullable(Type.Enum(UNPUBLISHED))),
  withdrawal: Type.Optional(Nullable(Withdrawal)),
  deprecation: Type.Optional(Nullable(Deprecation)),
  /** Only if the caller has installed or tries it. */
  installation: Type.Optional(Nullable(Installation)),
  created_at: Timestamp,
});
export type PluginDetail = Static<typeof PluginDetail>;

export const PluginVersion = Type.Object({
  version: Type.String(REQUIRED),
  kind: Type.Union([Type.Literal('new'), Type.Literal('fixed')]),
  note: Type.String(),
  lang: LanguageName,
  is_current: Type.Boolean(),
  is_hidden: Type.Boolean(),
  /** Only administrators can show it again. */
  is_hidden_by_admin: Type.Optional(Type.Boolean()),
  withdrawal: Type.Optional(Nullable(Withdrawal)),
  /** Public plugins are approved by default. */
  audit_status: Type.Union([...AUDIT_STATUSES], withDefault(AUDIT_PASSED)),
  /** Design tools that it works in; empty for all. */
  hosts: Type.Optional(Type.Array(HostSpan)),
  ...proof,
  created_at: Timestamp,
});
export type PluginVersion = Static<typeof PluginVersion>;

/** Parts of a listing that change; `pictures` are all of them, `contact` is technical support too. */
export const LISTING_PARTS = [
  'name',
  'intro',
  'description',
  'pictures',
  'tags',
  'license',
  'links',
  'data_collected',
  'contact',
  'copyright',
] as const;

const HISTORY_KINDS = [
  'published',
  'changed',
  'withdrawn',
  'restored',
  'revoked',
  'hidden',
  'shown',
  'deprecated',
  'maintained',
  'verified',
] as const;

const Difference = Type.Object({
  added: Type.Array(Type.String(REQUIRED)),
  removed: Type.Array(Type.String(REQUIRED)),
});

/** What happened to a listing, as everybody may know it. */
export const ListingEvent = Type.Object({
  kind: Type.Enum(HISTORY_KINDS, REQUIRED),
  at: Timestamp,
  /** The version that came, was withdrawn, or whose approval was taken back; null for the whole plugin. */
  version: Nullable(Type.String()),
  /** The names before and after; null where the name in the reader's language stayed. */
  renamed: Nullable(
    Type.Object({
      from: Type.String(),
      from_lang: LanguageName,
      to: Type.String(),
      to_lang: LanguageName,
    }),
  ),
  parts: Type.Array(Type.Enum(LISTING_PARTS, REQUIRED)),
  /** What the version may reach beyond the one before it, and no more; null if nothing changed. */
  rights: Nullable(Type.Object({ domains: Difference, permissions: Difference })),
});
export type ListingEvent = Static<typeof ListingEvent>;

/** The caller's install and like after a change; an external service may leave it out. */
export const PluginState = Type.Object(
  {
    plugin_key: PluginKey,
    is_praise: Type.Union([Type.Literal(1), Type.Literal(-1)]),
    is_installed: Type.Boolean(),
    praise_count: Type.Integer(),
    install_count: Type.Integer(),
  },
  { 'x-partial': true } satisfies Tolerance,
);
export type PluginState = Static<typeof PluginState>;

export const CopyrightKind = Type.Union([Type.Literal('author'), Type.Literal('custom')]);

/** A plugin's listing in all languages: the fields of R 5.2. */
export const Listing = Type.Object({
  /** Language that replaces missing ones. */
  default_lang: LanguageName,
  name: TextsSchema(TEXT_LIMITS.name),
  intro: TextsSchema(TEXT_LIMITS.intro),
  /** As it was written. */
  description: TextsSchema(TEXT_LIMITS.description),
  /** Absent for plain text. */
  description_format: Type.Optional(Type.Enum(DESCRIPTION_FORMATS)),
  license: Type.Optional(Type.String()),
  home_page: Type.Optional(Type.String()),
  source_url: Type.Optional(Type.String()),
  issues_url: Type.Optional(Type.String()),
  data_collected: Type.Optional(Nullable(DataCollected)),
  /** Codes of tags. */
  tags: Type.Array(Type.String()),
  contact: Type.String(),
  support: TextsSchema(TEXT_LIMITS.support),
  copyright: Type.Object({ kind: CopyrightKind, holder: Type.String() }),
  plugin_mark: Type.String(),
  icon: Nullable(Picture),
  /** Cover image of the plugin center. */
  cover: Nullable(Picture),
  panel: Nullable(Picture),
  media: Type.Array(MediaItem),
});
export type Listing = Static<typeof Listing>;
