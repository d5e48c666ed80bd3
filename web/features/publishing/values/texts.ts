import { LANGUAGES, type Language, type Texts } from '../../../../shared/languages.ts';

/** The texts with one of them written anew; an empty one is taken out. */
export function withText(texts: Texts, language: Language, text: string): Texts {
  const { [language]: _before, ...others } = texts;
  return text === '' ? others : { ...others, [language]: text };
}

/** The texts as they are sent: without space around them, and without those that say nothing. */
export function trimmedTexts(texts: Texts): Texts {
  return Object.fromEntries(
    LANGUAGES.map((language) => [language, (texts[language] ?? '').trim()] as const).filter(
      ([, text]) => text !== '',
    ),
  );
}

/** How much of several texts is there in a language. */
export function filledIn(all: readonly Texts[], language: Language): 'none' | 'some' | 'all' {
  const filled = all.filter((texts) => (texts[language] ?? '').trim() !== '').length;
  if (filled === 0) return 'none';
  return filled === all.length ? 'all' : 'some';
}
