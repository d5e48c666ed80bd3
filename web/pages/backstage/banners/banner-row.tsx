import { useTranslations } from 'use-intl';
import type { ManagedBanner } from '../../../../shared/entities/backstage.ts';
import { pictureSrcset, pictureUrl } from '../../../../shared/media.ts';
import { Badge } from '../../../ui/badge/badge.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { SortableRow } from '../frame/sortable-row.tsx';
import styles from './banners-screen.module.css';
import { useBannerTitle } from './use-banner-title.ts';

type Props = { banner: ManagedBanner; onEdit: () => void; onDelete: () => void };

/** One banner, with the handle by which it is moved. */
export function BannerRow({ banner, onEdit, onDelete }: Props) {
  const t = useTranslations('bannerAdmin');
  const name = useBannerTitle()(banner);
  const { picture, redirect_url, is_shown } = banner;
  return (
    <SortableRow
      id={banner.id}
      name={name}
      moveLabel={t('move', { name })}
      className={styles.row}
      orderClassName={styles.order}
    >
      {picture ? (
        <img
          className={styles.picture}
          src={pictureUrl(picture.key, picture.widths[0] ?? picture.width)}
          srcSet={pictureSrcset(picture.key, picture.widths)}
          sizes="200px"
          alt=""
        />
      ) : (
        <span className={classNames(styles.picture, styles.noPicture)}>{t('no_picture')}</span>
      )}
      <div className={styles.texts}>
        <p className={styles.name}>{name}</p>
        <p className={styles.link}>{redirect_url || t('no_link')}</p>
        {is_shown ? (
          <Badge tone="positive">{t('shown')}</Badge>
        ) : (
          <Badge tone="warning">{t('not_shown')}</Badge>
        )}
      </div>
      <div className={styles.actions}>
        <Button size="s" onClick={onEdit} aria-label={t('edit_named', { name })}>
          {t('edit')}
        </Button>
        <Button size="s" onClick={onDelete} aria-label={t('delete_named', { name })}>
          {t('delete')}
        </Button>
      </div>
    </SortableRow>
  );
}
