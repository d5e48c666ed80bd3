import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import styles from './plugin-skeleton.module.css';

const FACT_KEYS = ['a', 'b', 'c', 'd', 'e', 'f'];

/** In place of a plugin of which nothing is known yet. */
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
        <ActionsSkeleton />
      </div>
      <div className={styles.columns}>
        <StageSkeleton />
        <div className={styles.aside}>
          <FactsSkeleton />
        </div>
      </div>
    </div>
  );
}

export function ActionsSkeleton() {
  return <Skeleton shape="block" className={styles.actions} />;
}

export function StageSkeleton() {
  return <Skeleton shape="block" className={styles.stage} />;
}

/** Heading and description. */
export function AboutSkeleton() {
  return (
    <div className={styles.about} aria-hidden="true">
      <Skeleton className={styles.heading} />
      <Skeleton />
      <Skeleton />
      <Skeleton className={styles.end} />
    </div>
  );
}

/** Network access and facts. */
export function FactsSkeleton() {
  return (
    <>
      <Skeleton shape="block" className={styles.access} />
      {FACT_KEYS.map((key) => (
        <Skeleton key={key} />
      ))}
    </>
  );
}

/** In place of what happened to a listing. */
export function HistorySkeleton() {
  return (
    <div className={styles.history} aria-busy="true">
      <Skeleton shape="block" className={styles.event} />
      <Skeleton shape="block" className={styles.event} />
    </div>
  );
}
