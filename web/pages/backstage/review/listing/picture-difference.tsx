import { useTranslations } from 'use-intl';
import type { Picture } from '../../../../../shared/entities/plugin.ts';
import { pictureUrl } from '../../../../../shared/media.ts';
import styles from './listing.module.css';
import { isPictureChanged, type PictureField } from './listing-fields.ts';

/** A picture as it was and as it is to be, side by side. */
export function PictureDifference({ field: entry }: { field: PictureField }) {
  const t = useTranslations('review');
  const { field, before, after } = entry;
  const isPair = before !== undefined && isPictureChanged(entry);
  return (
    <div className={styles.field}>
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
