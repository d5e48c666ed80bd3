import { type Static, Type } from 'typebox';
import {
  fallbackField,
  LanguageName,
  Nullable,
  PluginKey,
  PluginKeyIfPresent,
  REQUIRED,
  Timestamp,
  withDefault,
} from './base.ts';
import { Picture, PluginCard } from './plugin.ts';
import { PublicUser } from './user.ts';

export const Banner = Type.Object({
  id: Type.Integer(REQUIRED),
  /** Only banners with a link are shown (R 3.8). */
  redirect_url: Type.String(),
  title: Type.String(fallbackField('redirect_url')),
  lang: LanguageName,
  /** The plugin that it leads to; absent or null for other links. */
  plugin: Type.Optional(Nullable(Type.Object({ name: Type.String(), lang: LanguageName }))),
  /** Null if an external service has none. */
  picture: Nullable(Picture),
  position: Type.Integer(),
});
export type Banner = Static<typeof Banner>;

export const SlotStatus = Type.Union(
  [Type.Literal('active'), Type.Literal('expired'), Type.Literal('inactive'), Type.Literal('invalid')],
  withDefault('inactive'),
);
export type SlotStatus = Static<typeof SlotStatus>;

/** Reasons for an invalid slot: it was invalidated, or its plugin is not visible. */
export const SlotFault = Type.Union([
  Type.Literal('disabled'),
  Type.Literal('plugin_deleted'),
  Type.Literal('plugin_hidden'),
  Type.Literal('plugin_waiting'),
  Type.Literal('plugin_refused'),
  Type.Literal('plugin_without_version'),
]);
export type SlotFault = Static<typeof SlotFault>;

export const ResourceSlot = Type.Object({
  id: Type.Integer(REQUIRED),
  plugin_key: PluginKeyIfPresent,
  name: Type.String(),
  icon: Nullable(Picture),
  cover: Nullable(Picture),
  link: Type.String(),
  start_at: Timestamp,
  end_at: Timestamp,
  is_disabled: Type.Boolean(),
  status: SlotStatus,
  /** All reasons for which it is invalid; a service without reasons may leave it out. */
  faults: Type.Optional(Type.Array(SlotFault)),
});
export type ResourceSlot = Static<typeof ResourceSlot>;

/** A resource slot on the home page. */
export const ActiveSlot = Type.Object({
  id: Type.Integer(REQUIRED),
  link: Type.String(REQUIRED),
  plugin: PluginCard,
});
export type ActiveSlot = Static<typeof ActiveSlot>;

/** `is_contact`: the QR code of the feedback group (R 4.12). */
export const QrCode = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  img_url: Type.String(REQUIRED),
  is_contact: Type.Boolean(),
});
export type QrCode = Static<typeof QrCode>;

export const ActivityInfo = Type.Object({
  view_num: Type.Integer(),
  participate_num: Type.Integer(),
  cover: Type.String(),
  tutorial_url: Type.String(),
});
export type ActivityInfo = Static<typeof ActivityInfo>;

export const FeaturedWork = Type.Object({
  id: Type.Integer(REQUIRED),
  title: Type.String(REQUIRED),
  lang: LanguageName,
  author: Type.String(),
  url: Type.String(REQUIRED),
  picture: Picture,
  view_num: Type.Integer(),
  like_num: Type.Integer(),
});
export type FeaturedWork = Static<typeof FeaturedWork>;

export const ReportReason = Type.Union([
  Type.Literal('malicious'),
  Type.Literal('broken'),
  Type.Literal('infringing'),
  Type.Literal('offensive'),
  Type.Literal('misleading'),
  Type.Literal('other'),
]);
export type ReportReason = Static<typeof ReportReason>;

export const ReportState = Type.Union([
  Type.Literal('open'),
  Type.Literal('accepted'),
  Type.Literal('dismissed'),
]);
export type ReportState = Static<typeof ReportState>;

export const Report = Type.Object({
  id: Type.Integer(),
  plugin_key: PluginKey,
  plugin_name: Type.String(),
  icon: Nullable(Picture),
  cover: Nullable(Picture),
  /** Only its publisher and administrators see the plugin. */
  is_hidden: Type.Boolean(),
  kind: ReportReason,
  reason: Type.String(),
  reporter: PublicUser,
  state: ReportState,
  /** Message of the administrators to the reporter. */
  decision: Nullable(Type.String()),
  /** Message to the publisher: what to fix, or why the plugin was hidden. */
  warning: Nullable(Type.String()),
  decided_by: Nullable(PublicUser),
  decided_at: Nullable(Timestamp),
  created_at: Timestamp,
});
export type Report = Static<typeof Report>;

/** A report for its author. */
export const OwnReport = Type.Object({
  id: Type.Integer(),
  plugin_key: PluginKey,
  plugin_name: Type.String(),
  icon: Nullable(Picture),
  cover: Nullable(Picture),
  kind: ReportReason,
  reason: Type.String(),
  state: ReportState,
  decision: Nullable(Type.String()),
  created_at: Timestamp,
  decided_at: Nullable(Timestamp),
});
export type OwnReport = Static<typeof OwnReport>;

/** A report of a publisher or a collection, for its author. */
export const OtherReport = Type.Object({
  id: Type.Integer(),
  subject: Type.Enum(['publisher', 'collection']),
  /** Handle or key; empty where its author can't open the page any more. */
  key: Type.String(),
  /** Name or title; empty for the same reason. */
  name: Type.String(),
  kind: ReportReason,
  reason: Type.String(),
  state: ReportState,
  created_at: Timestamp,
  decided_at: Nullable(Timestamp),
});
export type OtherReport = Static<typeof OtherReport>;
