import type { CollectionSummary } from '../../../shared/routes/collection.ts';
import { PluginIcon } from '../plugins/index.ts';
import styles from './collection-cover.module.css';

/** The cover of a collection, made of the icons of its first plugins. Decorative: the title is beside it. */
export function CollectionCover({ icons }: Pick<CollectionSummary, 'icons'>) {
  return (
    <span className={styles.cover} data-count={icons.length} aria-hidden="true">
      {icons.map(({ name, icon }, index) => (
        <PluginIcon key={`${index} ${name}`} icon={icon} name={name} size={36} />
      ))}
    </span>
  );
}
