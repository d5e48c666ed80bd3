import { type Static, Type } from 'typebox';
import { AUDIT_PASSED, AUDIT_REFUSED, AUDIT_WAITING, MARK_COLORS, TEXT_LIMITS } from '../constants.ts';
import type { Tolerance } from '../shape.ts';
import {
  Cursor,
  FileKey,
  insteadFrom,
  LanguageName,
  NEEDED,
  Nullable,
  otherwise,
  PluginKey,
  TextsSchema,
  Timestamp,
  Total,
} from './base.ts';
import { PublicUser } from './user.ts';

export const Tag = Type.Object({
  id: Type.Integer(NEEDED),
  name: Type.String(NEEDED),
  code: Type.String(insteadFrom('id')),
});
export type Tag = Static<typeof Tag>;

/** A stored picture: addresses are made from `key` and one of `widths` (shared/media.ts). */
export const Picture = Type.Object({
  key: FileKey,
  width: Type.Integer(otherwise(1280)),
  height: Type.Integer(otherwise(720)),
  widths: Type.Array(Type.Integer(NEEDED), NEEDED),
});
export type Picture = Static<typeof Picture>;

export const MediaItem = Type.Union([
  Type.Object({ kind: Type.Literal('image'), picture: Picture }),
  Type.Object({ kind: Type.Literal('video'), url: Type.String(NEEDED), mime_type: Type.String() }),
]);
export type MediaItem = Static<typeof MediaItem>;

const AUDIT_STATUSES = [
  Type.Literal(AUDIT_WAITING),
  Type.Literal(AUDIT_PASSED),
  Type.Literal(AUDIT_REFUSED),
] as const;
export const AuditStatus = Type.Union([...AUDIT_STATUSES]);

/** What administrators say of a plugin in a word: official, verified, new. */
export const Mark = Type.Object({
  name: Type.String(),
  /** Language of the name, which may differ from the one asked for. */
  lang: LanguageName,
  color: Type.Enum(MARK_COLORS),
});
export type Mark = Static<typeof Mark>;

const card = {
  plugin_key: PluginKey,
  /** 1 liked by the caller, else -1 (specification section 7). */
  is_praise: Type.Union([Type.Literal(1), Type.Literal(-1)], otherwise(-1)),
  is_installed: Type.Boolean(),
  name: Type.String(insteadFrom('plugin_key')),
  intro: Type.String(),
  /** Language of `name` and `intro`, which may differ from the one asked for. */
  lang: LanguageName,
  icon: Nullable(Picture),
  cover: Nullable(Picture),
  tags: Type.Array(Tag),
  publisher: PublicUser,
  /** Code of the plugin's mark, or nothing (specification section 3). */
  plugin_mark: Type.String(),
  /** The mark as it is shown: null without one, or when it is hidden. Left out by services that know codes alone. */
  mark: Type.Optional(Nullable(Mark)),
  version: Type.String(),
  praise_count: Type.Integer(),
  install_count: Type.Integer(),
  view_count: Type.Integer(),
  updated_at: Timestamp,
};

/** List item (specification section 3). */
export const PluginCard = Type.Object(card);
export type PluginCard = Static<typeof PluginCard>;

/** List answer (specification section 3). `next_cursor` is null on the last page. */
export const PluginPage = Type.Object({
  ...Total,
  total: Type.Integer(insteadFrom('plugin_list')),
  next_cursor: Nullable(Cursor),
  plugin_list: Type.Array(PluginCard),
});
export type PluginPage = Static<typeof PluginPage>;

/** Why others do not see a plugin. */
const UNPUBLISHED = ['waiting', 'rejected', 'hidden'] as const;
export type Unpublished = (typeof UNPUBLISHED)[number];
/** What became of a plugin that its publisher tries before it is public. */
const TRIALS = ['waiting', 'rejected', 'deleted'] as const;

/** What an installer works with, and the version that waits for them because it asks for more. */
export const Installation = Type.Object({
  /** The version that the package call answers; empty where none may be had any more. */
  version: Type.String(),
  update_available: Type.Boolean(),
  /** The version on offer, with what it may reach and use beyond what the caller has accepted. */
  update: Nullable(
    Type.Object({
      version: Type.String(NEEDED),
      domains: Type.Array(Type.String(NEEDED)),
      permissions: Type.Array(Type.String(NEEDED)),
    }),
  ),
  /** Not reviewed, and installed for its publisher alone; null for an ordinary install. */
  trial: Nullable(Type.Enum(TRIALS)),
});
export type Installation = Static<typeof Installation>;

export const PluginDetail = Type.Object({
  ...card,
  description: Type.String(),
  description_lang: LanguageName,
  /** Languages the publisher has written a name in. */
  languages: Type.Array(LanguageName),
  media: Type.Array(MediaItem),
  /** What the plugin looks like inside the editor. */
  panel: Type.Optional(Nullable(Picture)),
  contact: Type.String(),
  support: Type.String(),
  copyright: Type.Object({
    kind: Type.Union([Type.Literal('author'), Type.Literal('custom')]),
    holder: Type.String(),
  }),
  /** Domains the package may reach: empty = none, "*" = any; null where a foreign service does not tell. */
  allowed_domains: Nullable(Type.Array(Type.String())),
  /** What the package may use, and the editors it runs in; null or left out where that is not known. */
  permissions: Type.Optional(Nullable(Type.Array(Type.String()))),
  editor_types: Type.Optional(Nullable(Type.Array(Type.String()))),
  package_bytes: Type.Integer(),
  audit_status: AuditStatus,
  /** Told to those alone who see what others do not: why that is. Version and package are then those submitted. */
  unpublished: Type.Optional(Nullable(Type.Enum(UNPUBLISHED))),
  /** Only where the caller has it installed, or tries it. */
  installation: Type.Optional(Nullable(Installation)),
  created_at: Timestamp,
});
export type PluginDetail = Static<typeof PluginDetail>;

export const PluginVersion = Type.Object({
  version: Type.String(NEEDED),
  kind: Type.Union([Type.Literal('new'), Type.Literal('fixed')]),
  note: Type.String(),
  lang: LanguageName,
  is_current: Type.Boolean(),
  is_hidden: Type.Boolean(),
  /** What everybody is told of has passed, where nothing else is said. */
  audit_status: Type.Union([...AUDIT_STATUSES], otherwise(AUDIT_PASSED)),
  created_at: Timestamp,
});
export type PluginVersion = Static<typeof PluginVersion>;

/** State of the caller towards a plugin after install, uninstall, like and unlike; a foreign service need not tell it. */
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

/** What a publisher says of a plugin, in all its languages: the plugin editing fields of specification section 3. */
export const Listing = Type.Object({
  /** Language whose texts stand in where another one is missing. */
  default_lang: LanguageName,
  name: TextsSchema(TEXT_LIMITS.name),
  intro: TextsSchema(TEXT_LIMITS.intro),
  description: TextsSchema(TEXT_LIMITS.description),
  /** Codes of tags. */
  tags: Type.Array(Type.String()),
  contact: Type.String(),
  support: Type.String(),
  copyright: Type.Object({ kind: CopyrightKind, holder: Type.String() }),
  plugin_mark: Type.String(),
  icon: Nullable(Picture),
  /** Cover image of the plugin center. */
  cover: Nullable(Picture),
  panel: Nullable(Picture),
  media: Type.Array(MediaItem),
});
export type Listing = Static<typeof Listing>;
