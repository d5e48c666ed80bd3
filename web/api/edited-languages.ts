import { LANGUAGES, type Language, type Texts } from '../../shared/languages.ts';
import { useSite } from './site-context.ts';

/** Languages in which a text is edited: those that the site offers, and any in which it is written already. */
export function useEditedLanguages(texts: readonly Texts[], own?: Language): readonly Language[] {
  const { languages } = useSite();
  return LANGUAGES.filter(
    (one) => languages.includes(one) || one === own || texts.some((text) => text[one] !== undefined),
  );
}
