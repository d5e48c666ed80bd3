import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import styles from './segmented.module.css';

/** A row of which one is chosen; its children look as `segmentClass` says. */
export function Segmented({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav className={styles.row} aria-label={label}>
      {children}
    </nav>
  );
}

/** The look of one choice of a segmented row. */
export function segmentClass(current: boolean) {
  return classNames(styles.segment, current && styles.current);
}
