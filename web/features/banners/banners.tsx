import { useQuery } from '@tanstack/react-query';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import { BannerCarousel } from './banner-carousel.tsx';
import styles from './banners.module.css';
import { bannersQuery } from './banners-query.ts';

/** The banners of the home page; without any, or when they cannot be had, nothing is missing. */
export function Banners() {
  const { data, isPending } = useQuery(bannersQuery());
  if (isPending) return <Skeleton shape="block" className={styles.place} />;
  const shown = data?.banner_list.filter(({ redirect_url }) => redirect_url !== '') ?? [];
  return shown.length > 0 && <BannerCarousel banners={shown} />;
}
