import type { ColumnType } from 'kysely';
import type { DataCollected } from '../../shared/entities/plugin.ts';
import type { TextBlock } from '../../shared/entities/text-blocks.ts';
import type { Language, Texts } from '../../shared/languages.ts';

export type { DataCollected };

/** JSON that is written as text and read as a parsed value. */
export type JsonOf<T> = ColumnType<T, string, string>;

/** A column that the database computes. */
export type Computed<T> = ColumnType<T, never, never>;

/** Waiting, approved, rejected. */
export type AuditStatus = 1 | 2 | 3;
export type CopyrightKind = 'author' | 'custom';
export type VersionKind = 'new' | 'fixed';

/** What was written in Markdown, and the blocks that were read from it. */
export type StoredMarkdown = { source: string; blocks: TextBlock[] };
export type MarkdownTexts = Partial<Record<Language, StoredMarkdown>>;

/** A stored listing, with pictures and videos by their keys. */
export type StoredListing = {
  default_lang: Language;
  name: Texts;
  intro: Texts;
  /** As plain text, also where it was written in Markdown. */
  description: Texts;
  /** Left out for plain text. */
  description_markdown?: MarkdownTexts;
  /** Left out, like the four below, without one. */
  license?: string;
  home_page?: string;
  source_url?: string;
  issues_url?: string;
  data_collected?: DataCollected;
  tags: string[];
  contact: string;
  /** In the default language. */
  support: string;
  /** In other languages; left out without any. */
  support_translations?: Texts;
  copyright: { kind: CopyrightKind; holder: string };
  plugin_mark: string;
  icon_key: string | null;
  cover_key: string | null;
  panel_key: string | null;
  /** A picture with `is_before` is the *before* of the picture right before it. */
  media: ({ picture_key: string; is_before?: true } | { file_key: string })[];
};
