import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import { PluginCard } from './plugin-card.tsx';
import styles from './plugin-grid.module.css';
import type { PluginSummary } from './plugin-summary.ts';

const FIRST_ROW = 4;
const SKELETON_KEYS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

type PluginGridProps = {
  plugins: PluginSummary[];
  /** Loading priority of the covers in the first row; the others are lazy. */
  firstRow: 'first' | 'soon' | 'later';
  /** Shows skeletons of further cards. */
  loading: boolean;
  skeletons?: number;
};

export function PluginGrid({ plugins, firstRow, loading, skeletons = 8 }: PluginGridProps) {
  return (
    <ul className={styles.grid} aria-busy={loading}>
      {plugins.map((plugin, index) => (
        <li key={plugin.plugin_key}>
          <PluginCard plugin={plugin} load={index < FIRST_ROW ? firstRow : 'later'} />
        </li>
      ))}
      {loading &&
        SKELETON_KEYS.slice(0, skeletons).map((key) => (
          <li key={key} aria-hidden="true">
            <PluginCardSkeleton />
          </li>
        ))}
    </ul>
  );
}

/** A skeleton as large as a card. */
export function PluginCardSkeleton() {
  return (
    <div>
      <Skeleton shape="block" className={styles.cover} />
      <div className={styles.head}>
        <Skeleton shape="block" className={styles.icon} />
        <div className={styles.names}>
          <Skeleton className={styles.name} />
          <Skeleton className={styles.publisher} />
        </div>
      </div>
      <Skeleton className={styles.intro} />
      <Skeleton className={styles.intro} />
      <div className={styles.foot}>
        <Skeleton />
        <Skeleton shape="block" className={styles.button} />
      </div>
    </div>
  );
}
