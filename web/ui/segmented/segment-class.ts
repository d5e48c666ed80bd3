import { classNames } from '../class-names.ts';
import styles from './segmented.module.css';

/** The look of one choice of a segmented row. */
export function segmentClass(current: boolean) {
  return classNames(styles.segment, current && styles.current);
}
