import type { ColumnType } from 'kysely';
import type { Language, Texts } from '../../shared/languages.ts';

/** JSON that is written as text and read as a parsed value. */
export type JsonOf<T> = ColumnType<T, string, string>;

/** A column that the database computes. */
export type Computed<T> = ColumnType<T, never, never>;

/** Waiting, approved, rejected. */
export type AuditStatus = 1 | 2 | 3;
export type CopyrightKind = 'author' | 'custom';
export type VersionKind = 'new' | 'fixed';

/** A stored listing, with pictures and videos by their keys. */
export type StoredListing = {
  default_lang: Language;
  name: Texts;
  intro: Texts;
  description: Texts;
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
  media: ({ picture_key: string } | { file_key: string })[];
};
