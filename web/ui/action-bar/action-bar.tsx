import type { ReactNode } from 'react';
import styles from './action-bar.module.css';

/** The end of a long form or list, always in sight: what it comes to, and the button that sends it. */
export function ActionBar({ children }: { children: ReactNode }) {
  return <div className={styles.bar}>{children}</div>;
}
