import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';
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
