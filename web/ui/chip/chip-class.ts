import { classNames } from '../class-names.ts';
import styles from './chip.module.css';

/** Classes of a tag: `current` when its list is on screen. */
export function chipClass({ current = false, small = false }: { current?: boolean; small?: boolean }) {
  return classNames(styles.chip, current && styles.current, small && styles.small);
}
