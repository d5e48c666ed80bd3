import { useLocale, useTranslations } from 'use-intl';
import { LANGUAGE_NAMES, type Language } from '../../../../shared/languages.ts';
import { LanguagesIcon } from '../../../ui/icon/fact-icons.tsx';
import styles from './shown-in.module.css';

/** Says that a text is in another language than the page, because its publisher has not written it in this one. */
export function ShownIn({ lang }: { lang: Language }) {
  const t = useTranslations('plugin');
  const locale = useLocale();
  if (lang === locale) return null;
  const language = new Intl.DisplayNames(locale, { type: 'language' }).of(lang.slice(0, 2));
  return (
    <p className={styles.note} suppressHydrationWarning>
      <LanguagesIcon size={14} />
      {t('shown_in', { language: language ?? LANGUAGE_NAMES[lang] })}
    </p>
  );
}
