import type { ReactNode } from 'react';
import styles from './action-bar.module.css';

/** The sticky end of a long form or list: summary and submit button. */
export function ActionBar({ children }: { children: ReactNode }) {
  return <div className={styles.bar}>{children}</div>;
}
