import { Link } from 'react-router-dom';
import { useLocale, useTranslations } from 'use-intl';
import type { Deprecation } from '../../../shared/entities/plugin.ts';
import styles from './note.module.css';
import { pluginPath } from './plugin-path.ts';

/** What users of a deprecated plugin are told, with a link to its successor. */
export function DeprecationNote({ deprecation }: { deprecation: Deprecation }) {
  const t = useTranslations('deprecation');
  const locale = useLocale();
  const { text, text_lang, successor } = deprecation;
  const langOf = (lang: string) => (lang === locale ? undefined : lang);
  return (
    <div className={styles.note}>
      {text !== '' && (
        <p className={styles.text} lang={langOf(text_lang)}>
          {text}
        </p>
      )}
      <p>{t('explanation')}</p>
      {successor && (
        <p>
          {t('instead')}{' '}
          <Link className={styles.link} to={pluginPath(successor.plugin_key)} lang={langOf(successor.lang)}>
            {successor.name}
          </Link>
        </p>
      )}
    </div>
  );
}
