import { useTranslations } from 'use-intl';
import { LANGUAGE_NAMES } from '../../../../../shared/languages.ts';
import { useSite } from '../../../../api/site-context.ts';
import styles from './listing.module.css';
import { isTextChanged, type TextField } from './listing-fields.ts';
import { TextDifference } from './text-difference.tsx';

/** One text of the listing, and how it changed. */
export function TextRow({ field: entry }: { field: TextField }) {
  const t = useTranslations('review');
  const { language } = useSite();
  const { field, lang, before, after } = entry;
  return (
    <div className={styles.field}>
      <dt className={styles.label}>
        {t(`field_${field}`)}
        {lang && (
          <span className={styles.lang} lang={lang}>
            {LANGUAGE_NAMES[lang]}
          </span>
        )}
      </dt>
      <dd lang={lang}>
        {before !== undefined && isTextChanged(entry) ? (
          <TextDifference before={before} after={after} lang={lang ?? language} />
        ) : (
          <p className={styles.text}>{after}</p>
        )}
      </dd>
    </div>
  );
}
