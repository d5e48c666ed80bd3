import { useTranslations } from 'use-intl';
import { LANGUAGE_NAMES, type Texts } from '../../../../../shared/languages.ts';
import { classNames } from '../../../../ui/class-names.ts';
import styles from './listing.module.css';
import { notesOf } from './listing-fields.ts';
import { useSought } from './use-sought.ts';

type Props = { version: string; note: Texts; isSought: boolean };

/** What the publisher says is new in the version. */
export function VersionNote({ version, note, isSought }: Props) {
  const sought = useSought<HTMLElement>(isSought);
  const t = useTranslations('review');
  const notes = notesOf(note);
  return (
    <section
      className={classNames(styles.section, isSought && styles.sought)}
      aria-labelledby="version-note"
      {...sought}
    >
      <h2 id="version-note" className={styles.heading}>
        {t('version_note', { version })}
      </h2>
      {notes.length === 0 && <p className={styles.muted}>{t('no_version_note')}</p>}
      <dl className={styles.fields}>
        {notes.map(({ lang, text }) => (
          <div key={lang} className={styles.field}>
            <dt className={styles.label} lang={lang}>
              {LANGUAGE_NAMES[lang]}
            </dt>
            <dd lang={lang}>
              <p className={styles.text}>{text}</p>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
