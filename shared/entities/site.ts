import { type Static, Type } from 'typebox';
import { LanguageName, Nullable, PluginKey, Timestamp } from './base.ts';
import { Picture } from './plugin.ts';

export const Banner = Type.Object({
  id: Type.Integer(),
  /** Only banners with a link are shown (specification section 3). */
  redirect_url: Type.String(),
  title: Type.String(),
  lang: LanguageName,
  picture: Picture,
  position: Type.Integer(),
});
export type Banner = Static<typeof Banner>;

export const SlotStatus = Type.Union([
  Type.Literal('active'),
  Type.Literal('expired'),
  Type.Literal('inactive'),
  Type.Literal('invalid'),
]);

export const ResourceSlot = Type.Object({
  id: Type.Integer(),
  plugin_key: PluginKey,
  name: Type.String(),
  link: Type.String(),
  start_at: Timestamp,
  end_at: Timestamp,
  is_disabled: Type.Boolean(),
  status: SlotStatus,
});
export type ResourceSlot = Static<typeof ResourceSlot>;

export const QrCode = Type.Object({ id: Type.Integer(), name: Type.String(), img_url: Type.String() });

export const ActivityInfo = Type.Object({
  view_num: Type.Integer(),
  participate_num: Type.Integer(),
  cover: Type.String(),
  tutorial_url: Type.String(),
});
export type ActivityInfo = Static<typeof ActivityInfo>;

export const FeaturedWork = Type.Object({
  id: Type.Integer(),
  title: Type.String(),
  lang: LanguageName,
  author: Type.String(),
  url: Type.String(),
  picture: Picture,
  view_num: Type.Integer(),
  like_num: Type.Integer(),
});
export type FeaturedWork = Static<typeof FeaturedWork>;

export const Report = Type.Object({
  id: Type.Integer(),
  plugin_key: PluginKey,
  reason: Type.String(),
  state: Type.Union([Type.Literal('open'), Type.Literal('accepted'), Type.Literal('dismissed')]),
  decision: Nullable(Type.String()),
  created_at: Timestamp,
});
