import { Skeleton } from '../../../ui/skeleton/skeleton.tsx';
import styles from './plugin-skeleton.module.css';

/** The place of a plugin's page that is on its way. */
export function PluginSkeleton() {
  return (
    <div className={styles.page}>
      <div className={styles.title}>
        <Skeleton shape="block" className={styles.icon} />
        <div className={styles.texts}>
          <Skeleton className={styles.name} />
          <Skeleton className={styles.intro} />
        </div>
      </div>
      <Skeleton shape="block" className={styles.stage} />
    </div>
  );
}
