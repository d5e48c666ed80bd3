import { useLocale, useTranslations } from 'use-intl';
import { LANGUAGE_NAMES, type Language } from '../../../shared/languages.ts';
import styles from './protocol-page.module.css';

/** Says that the text is in another language than the page, because there is none in this one. */
export function WrittenIn({ lang }: { lang: Language }) {
  const t = useTranslations('protocol');
  if (lang === useLocale()) return null;
  return <p className={styles.note}>{t('written_in', { language: LANGUAGE_NAMES[lang] })}</p>;
}
