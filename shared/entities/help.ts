import { type Static, Type } from 'typebox';
import { HELP_LIMITS } from '../constants.ts';
import { Id, LanguageName, Nullable, REQUIRED, TextsSchema, Timestamp } from './base.ts';
import { TextBlock } from './text-blocks.ts';
import { PublicUser } from './user.ts';

/** A category of help articles for readers, in one language. */
export const HelpCategory = Type.Object({
  id: Id,
  name: Type.String(REQUIRED),
  /** Language of the name, if it is missing in the requested one. */
  lang: LanguageName,
  article_count: Type.Integer(),
});
export type HelpCategory = Static<typeof HelpCategory>;

/** An article in a list of the help center. */
export const HelpEntry = Type.Object({
  id: Id,
  category_id: Nullable(Id),
  title: Type.String(REQUIRED),
  lang: LanguageName,
  updated_at: Timestamp,
});
export type HelpEntry = Static<typeof HelpEntry>;

/** A search result. */
export const HelpHit = Type.Object({
  ...HelpEntry.properties,
  /** Excerpt of the text with the match, in the language of the match. */
  excerpt: Type.String(),
  excerpt_lang: LanguageName,
});
export type HelpHit = Static<typeof HelpHit>;

/** A whole article in one language. */
export const HelpArticle = Type.Object({ ...HelpEntry.properties, blocks: Type.Array(TextBlock) });
export type HelpArticle = Static<typeof HelpArticle>;

/** A category in the administration. */
export const ManagedCategory = Type.Object({
  id: Id,
  name: TextsSchema(HELP_LIMITS.name),
  default_lang: LanguageName,
  /** Number of articles, including drafts. */
  article_count: Type.Integer(),
});
export type ManagedCategory = Static<typeof ManagedCategory>;

/** An article in the administration, without its texts. */
export const ManagedArticle = Type.Object({
  id: Id,
  category_id: Nullable(Id),
  title: TextsSchema(HELP_LIMITS.title),
  default_lang: LanguageName,
  /** False for a draft, which only administrators see. */
  is_published: Type.Boolean(),
  /** Languages of the article. */
  written: Type.Array(LanguageName),
  updated_at: Timestamp,
  updated_by: Nullable(PublicUser),
});
export type ManagedArticle = Static<typeof ManagedArticle>;

/** The same with its Markdown, for editing. */
export const EditedArticle = Type.Object({
  ...ManagedArticle.properties,
  body: TextsSchema(HELP_LIMITS.body),
});
export type EditedArticle = Static<typeof EditedArticle>;
