import { type Static, Type } from 'typebox';
import { HELP_LIMITS } from '../constants.ts';
import { Id, LanguageName, NEEDED, Nullable, TextsSchema, Timestamp } from './base.ts';
import { TextBlock } from './text-blocks.ts';
import { PublicUser } from './user.ts';

/** A group of help articles as readers see it, in one language. */
export const HelpCategory = Type.Object({
  id: Id,
  name: Type.String(NEEDED),
  /** The language of the name, where it is not there in the one asked for. */
  lang: LanguageName,
  article_count: Type.Integer(),
});
export type HelpCategory = Static<typeof HelpCategory>;

/** An article in a list of the help center. */
export const HelpEntry = Type.Object({
  id: Id,
  category_id: Nullable(Id),
  title: Type.String(NEEDED),
  lang: LanguageName,
  updated_at: Timestamp,
});
export type HelpEntry = Static<typeof HelpEntry>;

/** An article that a search has found. */
export const HelpHit = Type.Object({
  ...HelpEntry.properties,
  /** Where its text has what was searched for; of what was found in another language, there. */
  excerpt: Type.String(),
  excerpt_lang: LanguageName,
});
export type HelpHit = Static<typeof HelpHit>;

/** A whole article in one language. */
export const HelpArticle = Type.Object({ ...HelpEntry.properties, blocks: Type.Array(TextBlock) });
export type HelpArticle = Static<typeof HelpArticle>;

/** A category as administrators keep it. */
export const ManagedCategory = Type.Object({
  id: Id,
  name: TextsSchema(HELP_LIMITS.name),
  default_lang: LanguageName,
  /** Articles in it, drafts too. */
  article_count: Type.Integer(),
});
export type ManagedCategory = Static<typeof ManagedCategory>;

/** An article as administrators keep it, without its texts. */
export const ManagedArticle = Type.Object({
  id: Id,
  category_id: Nullable(Id),
  title: TextsSchema(HELP_LIMITS.title),
  default_lang: LanguageName,
  /** False: a draft, which nobody else sees. */
  is_published: Type.Boolean(),
  /** Languages in which it can be read. */
  written: Type.Array(LanguageName),
  updated_at: Timestamp,
  updated_by: Nullable(PublicUser),
});
export type ManagedArticle = Static<typeof ManagedArticle>;

/** The same with its Markdown, to be edited. */
export const EditedArticle = Type.Object({
  ...ManagedArticle.properties,
  body: TextsSchema(HELP_LIMITS.body),
});
export type EditedArticle = Static<typeof EditedArticle>;
