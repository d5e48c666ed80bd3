import { type Static, Type } from 'typebox';
import { TEXT_LIMITS } from '../constants.ts';
import { LanguageName, Nullable, TextsSchema } from './base.ts';
import { MediaItem, Picture } from './plugin.ts';

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
