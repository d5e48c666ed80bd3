import type { ReactNode } from 'react';
import type { PluginCard as Plugin } from '../../../shared/entities/plugin.ts';
import { PluginCard } from './plugin-card.tsx';
import { PluginCardSkeleton } from './plugin-grid.tsx';
import styles from './plugin-row.module.css';

/** Plugins in a row without others to turn to; with fewer there is no row. */
export const ROW = 4;

const SKELETON_KEYS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

type PluginRowProps = {
  id: string;
  title: string;
  /** Undefined while they load. */
  plugins: readonly Plugin[] | undefined;
  skeletons?: number;
  load: 'soon' | 'later';
  /** Beside the title. */
  action?: ReactNode;
  /** In place of the plugins. */
  problem?: ReactNode;
  /** Incomplete rows are hidden: something else shows the others. */
  fullRows?: boolean;
};

/** Plugins under a title; on a small screen in one row that is swiped. */
export function PluginRow({
  id,
  title,
  plugins,
  skeletons = ROW,
  load,
  action,
  problem,
  fullRows,
}: PluginRowProps) {
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 id={id} className={styles.title}>
          {title}
        </h2>
        {action}
      </div>
      {problem || (
        <ul className={styles.cards} data-full={fullRows} aria-busy={!plugins}>
          {plugins?.map((plugin) => (
            <li key={plugin.plugin_key}>
              <PluginCard plugin={plugin} load={load} />
            </li>
          )) ??
            SKELETON_KEYS.slice(0, skeletons).map((key) => (
              <li key={key} aria-hidden="true">
                <PluginCardSkeleton />
              </li>
            ))}
        </ul>
      )}
    </section>
  );
}
