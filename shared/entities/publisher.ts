import { type Static, Type } from 'typebox';
import { HANDLE_LENGTHS, HANDLE_PATTERN, PUBLISHER_LINKS, TEXT_LIMITS } from '../constants.ts';
import { LanguageName, Nullable, REQUIRED, TextsSchema, Timestamp, Total } from './base.ts';
import { Picture } from './plugin.ts';
import { ReportReason } from './site.ts';
import { PublicUser } from './user.ts';

/** What publishers choose: lowercase Latin letters, digits and single hyphens between them. */
export const Handle = Type.String({
  pattern: HANDLE_PATTERN,
  minLength: HANDLE_LENGTHS.min,
  maxLength: HANDLE_LENGTHS.max,
  ...REQUIRED,
});

const Links = Type.Array(Type.String({ maxLength: PUBLISHER_LINKS.length }), {
  maxItems: PUBLISHER_LINKS.max,
});

/** What everybody sees of a publisher; their plugins are a list of its own. */
export const Publisher = Type.Object({
  ...PublicUser.properties,
  /** The current one, which differs from the requested one if that was changed. */
  handle: Handle,
  /** Empty if they wrote nothing, or an administrator has hidden it. */
  about: Type.String(),
  about_lang: LanguageName,
  /** Addresses of https. */
  links: Type.Array(Type.String()),
  /** Why others do not see texts and links, for the publisher and administrators. */
  hidden_reason: Type.Optional(Type.String()),
  /** Their published plugins, and the installs of these; a lower bound with `total_estimated`. */
  ...Total,
  install_count: Type.Integer(),
  /** Pictures of their most popular plugins, for the poster. */
  picture_list: Type.Array(Type.Object({ icon: Nullable(Picture), cover: Nullable(Picture) })),
});
export type Publisher = Static<typeof Publisher>;

/** What publishers write about themselves. */
export const ProfileTexts = Type.Object({
  /** Language that replaces missing ones. */
  default_lang: LanguageName,
  about: TextsSchema(TEXT_LIMITS.about),
  links: Links,
});

/** The profile for its publisher. */
export const OwnProfile = Type.Object({
  handle: Handle,
  /** Chosen by them, not given at random. */
  is_chosen: Type.Boolean(),
  /** The page exists: they have a published plugin. */
  is_public: Type.Boolean(),
  ...ProfileTexts.properties,
  /** Why an administrator has hidden texts and links; null if they are shown. */
  hidden_reason: Nullable(Type.String()),
});
export type OwnProfile = Static<typeof OwnProfile>;

/** A report of what a publisher says about themselves, for administrators. */
export const PublisherReport = Type.Object({
  id: Type.Integer(),
  publisher: Type.Object({ ...PublicUser.properties, handle: Handle }),
  default_lang: LanguageName,
  about: TextsSchema(TEXT_LIMITS.about),
  links: Type.Array(Type.String()),
  hidden_reason: Nullable(Type.String()),
  kind: ReportReason,
  reason: Type.String(),
  reporter: PublicUser,
  created_at: Timestamp,
});
export type PublisherReport = Static<typeof PublisherReport>;
