import type { Picture } from '../../../shared/entities/plugin.ts';
import { pictureSrcset, pictureUrl } from '../../../shared/media.ts';
import { LayersIcon } from '../../ui/icon/thing-icons.tsx';
import styles from './plugin-cover.module.css';

type PluginCoverProps = {
  cover: Picture | null;
  /** How wide it is shown, as the attribute of the same name says it. */
  sizes: string;
  /** `first`: among what the visitor waits for; `soon`: on the first screen; `later`: when scrolled near. */
  load: 'first' | 'soon' | 'later';
};

/** The 16:9 picture of a plugin. Decorative: name and intro say the same. */
export function PluginCover({ cover, sizes, load }: PluginCoverProps) {
  const smallest = cover?.widths[0];
  if (!cover || smallest === undefined)
    return (
      <span className={styles.none}>
        <LayersIcon size={32} />
      </span>
    );
  return (
    <img
      className={styles.cover}
      src={pictureUrl(cover.key, cover.widths[1] ?? smallest)}
      srcSet={pictureSrcset(cover.key, cover.widths)}
      sizes={sizes}
      width={cover.width}
      height={cover.height}
      loading={load === 'later' ? 'lazy' : 'eager'}
      fetchPriority={load === 'first' ? 'high' : 'low'}
      decoding="async"
      alt=""
    />
  );
}
