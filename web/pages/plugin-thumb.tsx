import type { PluginCard } from '../../shared/entities/plugin.ts';
import { PluginCover } from '../features/plugins/plugin-cover.tsx';
import { PluginIcon } from '../features/plugins/plugin-icon.tsx';
import styles from './plugin-thumb.module.css';

/** Small cover and icon of a plugin in a row. Decorative: the name is beside them. */
export function PluginThumb({ plugin }: { plugin: Pick<PluginCard, 'name' | 'icon' | 'cover'> }) {
  return (
    <span className={styles.thumb}>
      <span className={styles.cover}>
        <PluginCover plugin={plugin} sizes="72px" load="later" />
      </span>
      <PluginIcon icon={plugin.icon} name={plugin.name} size={36} />
    </span>
  );
}
