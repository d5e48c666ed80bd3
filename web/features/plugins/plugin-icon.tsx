import type { Picture } from '../../../shared/entities/plugin.ts';
import { pictureSrcset, pictureUrl } from '../../../shared/media.ts';
import { classNames } from '../../ui/class-names.ts';
import styles from './plugin-icon.module.css';

const SIZES = { 36: styles.s36, 48: styles.s48, 80: styles.s80 };

type PluginIconProps = { icon: Picture | null; name: string; size: keyof typeof SIZES };

/** A plugin's icon, or the first letter of its name. Decorative: the name stands beside it. */
export function PluginIcon({ icon, name, size }: PluginIconProps) {
  const frame = classNames(styles.icon, SIZES[size]);
  const smallest = icon?.widths[0];
  if (!icon || smallest === undefined)
    return (
      <span className={classNames(frame, styles.letter)} aria-hidden="true">
        {[...name][0]}
      </span>
    );
  return (
    <img
      className={frame}
      src={pictureUrl(icon.key, smallest)}
      srcSet={pictureSrcset(icon.key, icon.widths)}
      sizes={`${size}px`}
      width={size}
      height={size}
      loading="lazy"
      decoding="async"
      alt=""
    />
  );
}
