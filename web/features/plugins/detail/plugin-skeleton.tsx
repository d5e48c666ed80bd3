import { Skeleton } from '../../../ui/skeleton/skeleton.tsx';
import styles from './plugin-skeleton.module.css';

const FACT_KEYS = ['a', 'b', 'c', 'd', 'e', 'f'];

/** The place of a plugin's page that is on its way. */
export function PluginSkeleton() {
  return (
    <div className={styles.page} aria-hidden="true">
      <div className={styles.title}>
        <Skeleton shape="block" className={styles.icon} />
        <div className={styles.texts}>
          <Skeleton className={styles.name} />
          <Skeleton className={styles.intro} />
          <Skeleton className={styles.facts} />
        </div>
        <Skeleton shape="block" className={styles.actions} />
      </div>
      <div className={styles.columns}>
        <Skeleton shape="block" className={styles.stage} />
        <div className={styles.aside}>
          <Skeleton shape="block" className={styles.access} />
          {FACT_KEYS.map((key) => (
            <Skeleton key={key} />
          ))}
        </div>
      </div>
    </div>
  );
}
