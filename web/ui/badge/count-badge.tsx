import { BADGE_MAX } from '../../../shared/constants.ts';
import { VisuallyHidden } from '../visually-hidden/visually-hidden.tsx';
import styles from './count-badge.module.css';

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
