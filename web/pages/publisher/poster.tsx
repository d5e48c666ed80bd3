import type { Publisher } from '../../../shared/entities/publisher.ts';
import { PluginCover } from '../../features/plugins/plugin-cover.tsx';
import { PluginIcon } from '../../features/plugins/plugin-icon.tsx';
import styles from './poster.module.css';

/** Covers whose colours are the ground. */
const GROUND = 3;

/** Icons of a publisher's most popular plugins on the colours of their covers. Decorative: the list below has them all. */
export function Poster({ publisher: { nick_name, picture_list } }: { publisher: Publisher }) {
  const shownCovers = picture_list.flatMap(({ cover }) => (cover ? [cover] : []));
  const covers = [...new Map(shownCovers.map((cover) => [cover.key, cover])).values()].slice(0, GROUND);
  const ground = covers.length > 0 ? covers : [null];
  const shown = picture_list.flatMap(({ icon }) => (icon ? [icon] : []));
  // Several plugins may have the same icon.
  const icons = [...new Map(shown.map((icon) => [icon.key, icon])).values()];
  return (
    <div className={styles.poster} aria-hidden="true">
      <div className={styles.ground}>
        {ground.map((cover) => (
          <span key={cover?.key ?? ''}>
            <PluginCover plugin={{ cover, icon: null, name: nick_name }} sizes="320px" load="soon" />
          </span>
        ))}
      </div>
      <div className={styles.icons}>
        {icons.map((icon) => (
          <PluginIcon key={icon.key} icon={icon} name={nick_name} size={80} />
        ))}
      </div>
    </div>
  );
}
