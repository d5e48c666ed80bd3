import { type Static, Type } from 'typebox';
import { AUDIT_PASSED, AUDIT_REFUSED, AUDIT_WAITING } from '../constants.ts';
import { Cursor, FileKey, LanguageName, Nullable, PluginKey, Timestamp, Total } from './base.ts';
import { PublicUser } from './user.ts';

export const Tag = Type.Object({ id: Type.Integer(), name: Type.String(), code: Type.String() });
export type Tag = Static<typeof Tag>;

/** A stored picture: addresses are made from `key` and one of `widths` (shared/media.ts). */
export const Picture = Type.Object({
  key: FileKey,
  width: Type.Integer(),
  height: Type.Integer(),
  widths: Type.Array(Type.Integer()),
});
export type Picture = Static<typeof Picture>;

export const MediaItem = Type.Union([
  Type.Object({ kind: Type.Literal('image'), picture: Picture }),
  Type.Object({ kind: Type.Literal('video'), url: Type.String(), mime_type: Type.String() }),
]);
export type MediaItem = Static<typeof MediaItem>;

export const AuditStatus = Type.Union([
  Type.Literal(AUDIT_WAITING),
  Type.Literal(AUDIT_PASSED),
  Type.Literal(AUDIT_REFUSED),
]);

const card = {
  plugin_key: PluginKey,
  /** 1 liked by the caller, else -1 (specification section 7). */
  is_praise: Type.Union([Type.Literal(1), Type.Literal(-1)]),
  is_installed: Type.Boolean(),
  name: Type.String(),
  intro: Type.String(),
  /** Language of `name` and `intro`, which may differ from the one asked for. */
  lang: LanguageName,
  icon: Nullable(Picture),
  cover: Nullable(Picture),
  tags: Type.Array(Tag),
  publisher: PublicUser,
  plugin_mark: Type.String(),
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
  next_cursor: Nullable(Cursor),
  plugin_list: Type.Array(PluginCard),
});
export type PluginPage = Static<typeof PluginPage>;

export const PluginDetail = Type.Object({
  ...card,
  description: Type.String(),
  description_lang: LanguageName,
  /** Languages the publisher has written a name in. */
  languages: Type.Array(LanguageName),
  media: Type.Array(MediaItem),
  contact: Type.String(),
  support: Type.String(),
  copyright: Type.Object({
    kind: Type.Union([Type.Literal('author'), Type.Literal('custom')]),
    holder: Type.String(),
  }),
  /** Domains the package may reach: empty = none, "*" = any. */
  allowed_domains: Type.Array(Type.String()),
  package_bytes: Type.Integer(),
  audit_status: AuditStatus,
  created_at: Timestamp,
});
export type PluginDetail = Static<typeof PluginDetail>;

export const PluginVersion = Type.Object({
  version: Type.String(),
  kind: Type.Union([Type.Literal('new'), Type.Literal('fixed')]),
  note: Type.String(),
  lang: LanguageName,
  is_current: Type.Boolean(),
  is_hidden: Type.Boolean(),
  audit_status: AuditStatus,
  created_at: Timestamp,
});
export type PluginVersion = Static<typeof PluginVersion>;

/** State of the caller towards a plugin after install, uninstall, like and unlike. */
export const PluginState = Type.Object({
  plugin_key: PluginKey,
  is_praise: Type.Union([Type.Literal(1), Type.Literal(-1)]),
  is_installed: Type.Boolean(),
  praise_count: Type.Integer(),
  install_count: Type.Integer(),
});
export type PluginState = Static<typeof PluginState>;
