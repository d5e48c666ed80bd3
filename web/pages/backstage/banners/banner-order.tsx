import { useTranslations } from 'use-intl';
import type { ManagedBanner } from '../../../../shared/entities/backstage.ts';
import { SortableList } from '../frame/sortable-list.tsx';
import { useSaveOrder } from '../frame/use-save-order.ts';
import { BannerRow } from './banner-row.tsx';
import styles from './banners-screen.module.css';
import { useBannerTitle } from './use-banner-title.ts';

type Props = {
  banners: readonly ManagedBanner[];
  onEdit: (banner: ManagedBanner) => void;
  onDelete: (banner: ManagedBanner) => void;
};

/** Banners in their order, to be moved. */
export function BannerOrder({ banners, onEdit, onDelete }: Props) {
  const t = useTranslations('bannerAdmin');
  const titleOf = useBannerTitle();
  const order = useSaveOrder({
    texts: 'bannerAdmin',
    list: 'listManagedBanners',
    rows: 'banner_list',
    save: 'orderBanners',
  });
  const byId = new Map<string | number, ManagedBanner>(banners.map((banner) => [banner.id, banner]));
  const nameOf = (id: string | number): string => {
    const banner = byId.get(id);
    return banner ? titleOf(banner) : '';
  };
  return (
    <SortableList
      label={t('title')}
      className={styles.list}
      ids={banners.map(({ id }) => id)}
      nameOf={nameOf}
      onOrder={(ids) => order.mutate(ids)}
    >
      {banners.map((banner) => (
        <BannerRow
          key={banner.id}
          banner={banner}
          onEdit={() => onEdit(banner)}
          onDelete={() => onDelete(banner)}
        />
      ))}
    </SortableList>
  );
}
