import type { Picture } from '../../../shared/entities/plugin.ts';
import { pictureUrl } from '../../../shared/media.ts';
import { classNames } from '../../ui/class-names.ts';
import styles from './plugin-icon.module.css';

const SIZES = { 36: styles.s36, 48: styles.s48, 80: styles.s80 };

type PluginIconProps = { icon: Picture | null; name: string; size: keyof typeof SIZES };

/** A plugin's icon, or the first letter of its name. Decorative: the name is beside it. */
export function PluginIcon({ icon, name, size }: PluginIconProps) {
  const frame = classNames(styles.icon, SIZES[size]);
  const plain = icon ? widthFor(size, icon.widths) : undefined;
  if (!icon || plain === undefined)
    return (
      <span className={classNames(frame, styles.letter)} aria-hidden="true">
        {[...name][0]}
      </span>
    );
  const dense = widthFor(2 * size, icon.widths) ?? plain;
  return (
    <img
      className={frame}
      src={pictureUrl(icon.key, plain)}
      srcSet={dense === plain ? undefined : `${pictureUrl(icon.key, dense)} 2x`}
      width={size}
      height={size}
      loading="lazy"
      decoding="async"
      alt=""
    />
  );
}

/** The smallest available width of a picture that fills the given pixels, else the largest. */
function widthFor(pixels: number, widths: readonly number[]): number | undefined {
  return widths.find((width) => width >= pixels) ?? widths.at(-1);
}
