import type { ReactNode } from 'react';
import { BADGE_MAX } from '../../../shared/constants.ts';
import { classNames } from '../class-names.ts';
import { VisuallyHidden } from '../visually-hidden/visually-hidden.tsx';
import styles from './badge.module.css';

export type BadgeTone = 'neutral' | 'positive' | 'warning' | 'negative' | 'info' | 'brand';

type BadgeProps = {
  tone?: BadgeTone;
  /** A mark before the text, with its own shape for each tone, to scan lists by state. */
  dot?: boolean;
  children: ReactNode;
};

/** A short state. Tone and dot only repeat the text. */
export function Badge({ tone = 'neutral', dot = false, children }: BadgeProps) {
  return <span className={classNames(styles.badge, styles[tone], dot && styles.dot)}>{children}</span>;
}

type CountBadgeProps = {
  count: number;
  /** Accessible name: the exact count and its unit. */
  label: string;
  max?: number;
};

/** A count; above `max` it is shown as "99+". */
export function CountBadge({ count, label, max = BADGE_MAX }: CountBadgeProps) {
  return (
    <span className={styles.count}>
      <span aria-hidden="true">{count > max ? `${max}+` : count}</span>
      <VisuallyHidden> {label}</VisuallyHidden>
    </span>
  );
}
