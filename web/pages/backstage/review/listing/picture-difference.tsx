import { useTranslations } from 'use-intl';
import type { Picture } from '../../../../../shared/entities/plugin.ts';
import { pictureUrl } from '../../../../../shared/media.ts';
import { classNames } from '../../../../ui/class-names.ts';
import styles from './listing.module.css';
import { isPictureChanged, type PictureField } from './listing-fields.ts';
import { useSought } from './use-sought.ts';

/** A picture as it was and as it is to be, side by side. */
export function PictureDifference({ field: entry, isSought }: { field: PictureField; isSought: boolean }) {
  const sought = useSought<HTMLDivElement>(isSought);
  const t = useTranslations('review');
  const { field, before, after } = entry;
  const isPair = before !== undefined && isPictureChanged(entry);
  return (
    <div className={classNames(styles.field, isSought && styles.sought)} {...sought}>
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
