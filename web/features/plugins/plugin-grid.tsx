import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import { PluginCard } from './plugin-card.tsx';
import styles from './plugin-grid.module.css';
import type { ShownPlugin } from './shown-plugin.ts';

const FIRST_ROW = 4;
const SKELETON_KEYS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

type PluginGridProps = {
  plugins: ShownPlugin[];
  /** How the covers of the first row are fetched; the others wait until they are scrolled near. */
  firstRow: 'first' | 'soon' | 'later';
  /** Places for more cards, on their way. */
  loading: boolean;
  /** How many places, 8 at most. */
  places?: number;
};

/** Plugins side by side. */
export function PluginGrid({ plugins, firstRow, loading, places = 8 }: PluginGridProps) {
  return (
    <ul className={styles.grid} aria-busy={loading}>
      {plugins.map((plugin, index) => (
        <li key={plugin.plugin_key}>
          <PluginCard plugin={plugin} load={index < FIRST_ROW ? firstRow : 'later'} />
        </li>
      ))}
      {loading &&
        SKELETON_KEYS.slice(0, places).map((key) => (
          <li key={key} aria-hidden="true">
            <PluginCardSkeleton />
          </li>
        ))}
    </ul>
  );
}

/** The place of a card that is on its way, as large as the card. */
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
