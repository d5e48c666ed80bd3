import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import visuallyHidden from '../visually-hidden/visually-hidden.module.css';
import styles from './table.module.css';

type TableProps = {
  caption: string;
  /** The caption is only for screen readers. */
  hideCaption?: boolean;
  /** While its rows are being refetched. */
  busy?: boolean;
  /** Minimum width before it scrolls horizontally. */
  width?: 'narrow' | 'wide';
  /** The last cell has the row's actions and stays in view while the table scrolls horizontally. */
  hasActions?: boolean;
  className?: string;
  /** `thead` and `tbody`; each `td` names its column in `data-label`. */
  children: ReactNode;
};

/**
 * A table that scrolls horizontally when it doesn't fit; on phones each row is a card, and a cell shows its column name
 * from `data-label`. A cell without a label (actions, title) takes the whole line.
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
        <caption className={hideCaption ? visuallyHidden.hidden : styles.caption}>{caption}</caption>
        {children}
      </table>
    </div>
  );
}
