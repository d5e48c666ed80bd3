import { useTranslations } from 'use-intl';
import { LANGUAGE_NAMES, type Texts } from '../../../../../shared/languages.ts';
import styles from './listing.module.css';
import { notesOf } from './listing-fields.ts';

/** What the publisher says is new in the version. */
export function VersionNote({ version, note }: { version: string; note: Texts }) {
  const t = useTranslations('review');
  const notes = notesOf(note);
  return (
    <section className={styles.section} aria-labelledby="version-note">
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
