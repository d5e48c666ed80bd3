import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import styles from './segmented.module.css';

/** A segmented control; its children use `segmentClass`. */
export function Segmented({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav className={styles.row} aria-label={label}>
      {children}
    </nav>
  );
}

/** Classes of one option of a segmented control. */
export function segmentClass(current: boolean) {
  return classNames(styles.segment, current && styles.current);
}
