import type { ReactNode } from 'react';
import { BADGE_MAX } from '../../../shared/constants.ts';
import { classNames } from '../class-names.ts';
import { VisuallyHidden } from '../visually-hidden/visually-hidden.tsx';
import styles from './badge.module.css';

export type BadgeTone = 'neutral' | 'positive' | 'warning' | 'negative' | 'info' | 'brand';

type BadgeProps = {
  tone?: BadgeTone;
  /** A mark before the word, of another shape in each tone: for a state that is looked for down a list. */
  dot?: boolean;
  children: ReactNode;
};

/** A short word about a state. Tone and dot only repeat what the word says. */
export function Badge({ tone = 'neutral', dot = false, children }: BadgeProps) {
  return <span className={classNames(styles.badge, styles[tone], dot && styles.dot)}>{children}</span>;
}

type CountBadgeProps = {
  count: number;
  /** What is heard instead of the figure: the exact count and what it counts. */
  label: string;
  max?: number;
};

/** A count beside what it belongs to; above `max` it is shown as "99+". */
export function CountBadge({ count, label, max = BADGE_MAX }: CountBadgeProps) {
  return (
    <span className={styles.count}>
      <span aria-hidden="true">{count > max ? `${max}+` : count}</span>
      <VisuallyHidden> {label}</VisuallyHidden>
    </span>
  );
}
