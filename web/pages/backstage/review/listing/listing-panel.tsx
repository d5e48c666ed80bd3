import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { AuditDetail } from '../../../../../shared/entities/backstage.ts';
import { Switch } from '../../../../ui/switch/switch.tsx';
import styles from './listing.module.css';
import {
  isMediaChanged,
  isPictureChanged,
  isTextChanged,
  pictureFields,
  textFields,
} from './listing-fields.ts';
import { MediaDifference } from './media-difference.tsx';
import { PictureDifference } from './picture-difference.tsx';
import { TextRow } from './text-row.tsx';
import { VersionNote } from './version-note.tsx';

/** The listing beside the one that passed last: field by field, language by language, pictures side by side. */
export function ListingPanel({ detail }: { detail: AuditDetail }) {
  const { item, listing, passed, version_note } = detail;
  const t = useTranslations('review');
  const [showsAll, setShowsAll] = useState(false);
  const before = passed?.listing;
  const isShown = (isChanged: boolean): boolean => isChanged || showsAll || !before;
  const texts = textFields(before, listing, detail).filter((field) => isShown(isTextChanged(field)));
  const pictures = pictureFields(before, listing).filter((field) => isShown(isPictureChanged(field)));
  const hasMedia = listing.media.length > 0 || (before?.media.length ?? 0) > 0;
  const showsMedia = hasMedia && isShown(isMediaChanged(before?.media, listing.media));
  const isEmpty = texts.length === 0 && pictures.length === 0 && !showsMedia;
  return (
    <>
      {item.brings_version && <VersionNote version={item.version} note={version_note} />}
      <section className={styles.section} aria-labelledby="difference">
        <div className={styles.head}>
          <h2 id="difference" className={styles.heading}>
            {passed ? t('listing_since', { version: passed.version }) : t('listing_new')}
          </h2>
          {passed && <Switch label={t('show_unchanged')} checked={showsAll} onChange={setShowsAll} />}
        </div>
        {isEmpty && <p className={styles.muted}>{t('listing_same')}</p>}
        <dl className={styles.fields}>
          {texts.map((field) => (
            <TextRow key={`${field.field} ${field.lang ?? ''}`} field={field} />
          ))}
          {pictures.map((field) => (
            <PictureDifference key={field.field} field={field} />
          ))}
          {showsMedia && (
            <MediaDifference before={before?.media} after={listing.media} name={item.plugin.name} />
          )}
        </dl>
      </section>
    </>
  );
}
