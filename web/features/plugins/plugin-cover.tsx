import { pictureSrcset, pictureUrl } from '../../../shared/media.ts';
import styles from './plugin-card.module.css';
import { PluginIcon } from './plugin-icon.tsx';
import type { PluginSummary } from './plugin-summary.ts';

type PluginCoverProps = {
  plugin: Pick<PluginSummary, 'cover' | 'icon' | 'name'>;
  /** Displayed width, as in the attribute `sizes`. */
  sizes: string;
  /** `first`: part of the largest content; `soon`: on the first screen; `later`: lazy. */
  load: 'first' | 'soon' | 'later';
};

/**
 * The 16:9 picture of a plugin, or its icon on a generated colour: our service creates covers, foreign ones may not.
 * Decorative: name and intro say the same.
 */
export function PluginCover({ plugin: { cover, icon, name }, sizes, load }: PluginCoverProps) {
  const smallest = cover?.widths[0];
  if (!cover || smallest === undefined)
    return (
      <span className={styles.noPicture} style={{ background: groundOf(name) }}>
        <PluginIcon icon={icon} name={name} size={80} />
      </span>
    );
  return (
    <img
      className={styles.picture}
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

/** A colour derived from a name. */
function groundOf(name: string): string {
  const hue = [...name].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 360, 0);
  return `linear-gradient(135deg, oklch(0.8 0.12 ${hue}), oklch(0.56 0.17 ${(hue + 40) % 360}))`;
}
