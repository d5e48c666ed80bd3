import { LANGUAGES, type Language, type Texts, textIn } from '../../shared/languages.ts';
import type { MarkdownTexts, StoredListing, StoredMarkdown } from './column-types.ts';

/** A description in Markdown: as written, as blocks for pages, and as plain text for everything else. */
export type ReadDescription = StoredMarkdown & { text: string };

/** The description of a listing as it was written, for those who edit or compare it. */
export function writtenDescription({ description, description_markdown: markdown }: StoredListing): Texts {
  if (!markdown) return description;
  const written: Texts = {};
  for (const language of LANGUAGES) {
    const text = markdown[language]?.source ?? description[language];
    if (text !== undefined) written[language] = text;
  }
  return written;
}

/** A description as a listing stores it. */
export function storedDescription(
  read: Partial<Record<Language, ReadDescription>>,
): Pick<StoredListing, 'description' | 'description_markdown'> {
  const description: Texts = {};
  const markdown: MarkdownTexts = {};
  for (const language of LANGUAGES) {
    const one = read[language];
    if (!one) continue;
    description[language] = one.text;
    markdown[language] = { source: one.source, blocks: one.blocks };
  }
  return { description, description_markdown: markdown };
}

/** The description for a page in one language: plain text, and its blocks where it was written in Markdown. */
export function descriptionIn(
  { description, markdown }: { description: Texts; markdown: MarkdownTexts },
  language: Language,
  defaultLang: Language,
) {
  const { text, lang } = textIn(description, language, defaultLang);
  const blocks = markdown[lang]?.blocks;
  return { description: text, description_lang: lang, ...(blocks && { description_blocks: blocks }) };
}
