import type { ReactNode } from 'react';
import styles from './segmented.module.css';

/** A row of which one is chosen; its children look as `segmentClass` says. */
export function Segmented({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav className={styles.row} aria-label={label}>
      {children}
    </nav>
  );
}
