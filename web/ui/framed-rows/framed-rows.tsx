import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import styles from './framed-rows.module.css';

/** A framed list of rows with separators. */
export function FramedRows({ children }: { children: ReactNode }) {
  return <ul className={styles.rows}>{children}</ul>;
}

type FramedRowProps = { className?: string | undefined; children: ReactNode };

/** Content side by side, wrapped on narrow screens. */
export function FramedRow({ className, children }: FramedRowProps) {
  return <li className={classNames(styles.row, className)}>{children}</li>;
}
