import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { AuditDetail } from '../../../../../shared/entities/backstage.ts';
import type { Finding } from '../../../../../shared/entities/finding.ts';
import type { Picture } from '../../../../../shared/entities/plugin.ts';
import { LANGUAGE_NAMES, type Texts } from '../../../../../shared/languages.ts';
import { pictureUrl } from '../../../../../shared/media.ts';
import { classNames } from '../../../../ui/class-names.ts';
import { Switch } from '../../../../ui/switch/switch.tsx';
import { listingFieldOf, textRowOfFinding } from '../code/finding-place.ts';
import styles from './listing.module.css';
import {
  hasPicture,
  hasText,
  isMediaChanged,
  isPictureChanged,
  isTextChanged,
  type ListingPictureField,
  type Named,
  notesOf,
  pictureFields,
  textFields,
} from './listing-fields.ts';
import { MediaDifference, TextRow, useScrollToTarget } from './listing-rows.tsx';

type Props = {
  detail: AuditDetail;
  target: Finding | undefined;
};

/** The listing compared with the last approved one: by field and language, pictures side by side. */
export function ListingPanel({ detail, target }: Props) {
  const { item, listing, passed, version_note } = detail;
  const t = useTranslations('review');
  const [showsAll, setShowsAll] = useState(false);
  const before = passed?.listing;
  const isShown = (isChanged: boolean): boolean => isChanged || showsAll || !before;
  const place = target && listingFieldOf(target);
  const rows = textFields(before, listing, { ...detail, ...useFactNames() });
  const targetRow = place && textRowOfFinding(rows, place, listing.default_lang);
  const texts = rows.filter(
    (field) => field === targetRow || (hasText(field) && isShown(isTextChanged(field))),
  );
  const pictures = pictureFields(before, listing).filter(
    (field) => field.field === place?.field || (hasPicture(field) && isShown(isPictureChanged(field))),
  );
  const hasMedia = listing.media.length > 0 || (before?.media.length ?? 0) > 0;
  const isMediaTarget = place?.field === 'media';
  const showsMedia = isMediaTarget || (hasMedia && isShown(isMediaChanged(before?.media, listing.media)));
  const isNoteTarget = place?.field === 'version_note' && item.brings_version;
  const isFieldTarget =
    targetRow !== undefined ||
    isMediaTarget ||
    isNoteTarget ||
    pictures.some(({ field }) => field === place?.field);
  const panelTarget = useScrollToTarget<HTMLElement>(place !== undefined && !isFieldTarget);
  const isEmpty = texts.length === 0 && pictures.length === 0 && !showsMedia;
  return (
    <>
      {item.brings_version && (
        <VersionNote version={item.version} note={version_note} isTarget={isNoteTarget} />
      )}
      <section className={styles.section} aria-labelledby="difference" {...panelTarget}>
        <div className={styles.head}>
          <h2 id="difference" className={styles.heading}>
            {passed ? t('listing_since', { version: passed.version }) : t('listing_new')}
          </h2>
          {passed && <Switch label={t('show_unchanged')} checked={showsAll} onChange={setShowsAll} />}
        </div>
        {isEmpty && <p className={styles.muted}>{t('listing_same')}</p>}
        <dl className={styles.fields}>
          {texts.map((field) => (
            <TextRow
              key={`${field.field} ${field.lang ?? ''}`}
              field={field}
              isTarget={field === targetRow}
            />
          ))}
          {pictures.map((field) => (
            <PictureDifference key={field.field} field={field} isTarget={field.field === place?.field} />
          ))}
          {showsMedia && (
            <MediaDifference
              before={before?.media}
              after={listing.media}
              name={item.plugin.name}
              isTarget={isMediaTarget}
            />
          )}
        </dl>
      </section>
    </>
  );
}

function useFactNames(): Pick<Named, 'format_names' | 'data_names'> {
  const t = useTranslations('review');
  const facts = useTranslations('facts');
  return {
    format_names: { plain: t('format_plain'), markdown: t('format_markdown') },
    data_names: {
      account: facts('collected_account'),
      usage: facts('collected_usage'),
      content: facts('collected_content'),
      nothing: t('nothing_collected'),
    },
  };
}

/** The old and the new picture, side by side. */
function PictureDifference({ field: entry, isTarget }: { field: ListingPictureField; isTarget: boolean }) {
  const sought = useScrollToTarget<HTMLDivElement>(isTarget);
  const t = useTranslations('review');
  const { field, before, after } = entry;
  const isPair = before !== undefined && isPictureChanged(entry);
  return (
    <div className={classNames(styles.field, isTarget && styles.sought)} {...sought}>
      <dt className={styles.label}>{t(`field_${field}`)}</dt>
      <dd className={styles.pictures}>
        {isPair && <Side label={t('before')} picture={before} />}
        <Side label={isPair ? t('after') : undefined} picture={after} />
      </dd>
    </div>
  );
}

function Side({ label, picture }: { label: string | undefined; picture: Picture | null }) {
  const t = useTranslations('review');
  return (
    <figure className={styles.side}>
      {label && <figcaption className={styles.caption}>{label}</figcaption>}
      {picture ? (
        <img
          className={styles.picture}
          src={pictureUrl(picture.key, picture.widths[0] ?? picture.width)}
          alt=""
          loading="lazy"
        />
      ) : (
        <span className={styles.nothing}>{t('no_picture')}</span>
      )}
    </figure>
  );
}

type VersionNoteProps = { version: string; note: Texts; isTarget: boolean };

/** The publisher's release note. */
function VersionNote({ version, note, isTarget }: VersionNoteProps) {
  const sought = useScrollToTarget<HTMLElement>(isTarget);
  const t = useTranslations('review');
  const notes = notesOf(note);
  return (
    <section
      className={classNames(styles.section, isTarget && styles.sought)}
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
