import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import styles from './table.module.css';

type TableProps = {
  caption: string;
  /** The caption is heard but not seen. */
  hideCaption?: boolean;
  /** While its rows are being fetched again. */
  busy?: boolean;
  /** Least width before it scrolls sideways. */
  width?: 'narrow' | 'wide';
  /** What can be done with a row stands in its last cell, which stays in view while the table scrolls sideways. */
  hasActions?: boolean;
  className?: string;
  /** `thead` and `tbody`; each `td` names its column in `data-label`. */
  children: ReactNode;
};

/**
 * A table that scrolls sideways when it does not fit; on telephones each row is a card, and a cell carries
 * the name of its column, from `data-label`. A cell without a label (actions, title) takes the whole line.
 */
export function Table({
  caption,
  hideCaption = false,
  busy = false,
  width = 'narrow',
  hasActions = false,
  className,
  children,
}: TableProps) {
  return (
    <div className={classNames(styles.scroll, className)} aria-busy={busy || undefined}>
      <table
        className={classNames(styles.table, width === 'wide' && styles.wide, hasActions && styles.hasActions)}
      >
        <caption className={hideCaption ? styles.unseen : styles.caption}>{caption}</caption>
        {children}
      </table>
    </div>
  );
}
