import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import styles from './framed-rows.module.css';

/** A list of rows in one frame, a line between each two. */
export function FramedRows({ children }: { children: ReactNode }) {
  return <ul className={styles.rows}>{children}</ul>;
}

type FramedRowProps = { className?: string | undefined; children: ReactNode };

/** What stands side by side in a row wraps where it is narrow. */
export function FramedRow({ className, children }: FramedRowProps) {
  return <li className={classNames(styles.row, className)}>{children}</li>;
}
