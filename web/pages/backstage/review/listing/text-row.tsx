import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { LANGUAGE_NAMES } from '../../../../../shared/languages.ts';
import { useSite } from '../../../../api/site-context.ts';
import { classNames } from '../../../../ui/class-names.ts';
import { ShortText } from '../../../../ui/visually-hidden/short-text.tsx';
import { wordDifference } from '../differences.ts';
import styles from './listing.module.css';
import { isTextChanged, isTextSaid, type TextField } from './listing-fields.ts';
import { useSought } from './use-sought.ts';

/** One text of the listing, and how it changed. */
export function TextRow({ field: entry, isSought }: { field: TextField; isSought: boolean }) {
  const sought = useSought<HTMLDivElement>(isSought);
  const t = useTranslations('review');
  const { language } = useSite();
  const { field, lang, before, after } = entry;
  return (
    <div className={classNames(styles.field, isSought && styles.sought)} {...sought}>
      <dt className={styles.label}>
        {t(`field_${field}`)}
        {lang && (
          <span className={styles.lang} lang={lang}>
            {LANGUAGE_NAMES[lang]}
          </span>
        )}
      </dt>
      <dd lang={isTextSaid(entry) ? lang : undefined}>
        {before !== undefined && isTextChanged(entry) ? (
          <TextDifference before={before} after={after} lang={lang ?? language} />
        ) : (
          <p className={classNames(styles.text, !isTextSaid(entry) && styles.muted)}>
            {isTextSaid(entry) ? after : t('field_empty')}
          </p>
        )}
      </dd>
    </div>
  );
}

type Props = { before: string; after: string; lang: string };

/** One text with what was taken out and put in. */
function TextDifference({ before, after, lang }: Props) {
  const t = useTranslations('review');
  const pieces = useMemo(() => wordDifference(before, after, lang), [before, after, lang]);
  return (
    <p className={styles.text}>
      {pieces.map(({ kind, text }, place) => {
        const key = `${place} ${kind}`;
        if (kind === 'same') return <span key={key}>{text}</span>;
        const Mark = kind === 'added' ? 'ins' : 'del';
        return (
          <Mark key={key} className={styles[kind]}>
            <ShortText full={t(kind === 'added' ? 'marked_added' : 'marked_removed', { text })}>
              {text}
            </ShortText>
          </Mark>
        );
      })}
    </p>
  );
}
