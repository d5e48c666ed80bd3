import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import styles from './plugin-card-skeleton.module.css';

/** The place of a card that is on its way. */
export function PluginCardSkeleton() {
  return (
    <div className={styles.card}>
      <Skeleton shape="block" className={styles.cover} />
      <div className={styles.head}>
        <Skeleton shape="block" className={styles.icon} />
        <div className={styles.names}>
          <Skeleton className={styles.name} />
          <Skeleton className={styles.publisher} />
        </div>
      </div>
      <Skeleton />
      <Skeleton className={styles.name} />
    </div>
  );
}
