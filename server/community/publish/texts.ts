import { LANGUAGES, type Texts } from '../../../shared/languages.ts';

/** Texts as they are kept: nothing around them, and no language that says nothing. */
export function trimmedTexts(texts: Texts): Texts {
  const kept: Texts = {};
  for (const language of LANGUAGES) {
    const text = texts[language]?.trim();
    if (text) kept[language] = text;
  }
  return kept;
}
