import { CountBadge } from '../../../ui/badge/count-badge.tsx';
import styles from './side-nav.module.css';

type NavCountProps = {
  /** Undefined while it is not known. */
  count: number | undefined;
  /** What is read out: the number and what it counts. */
  label: (count: number) => string;
};

/** How much there is to do on a screen, beside its title in the navigation; nothing when there is nothing. */
export function NavCount({ count, label }: NavCountProps) {
  if (!count) return null;
  return (
    <span className={styles.count}>
      <CountBadge count={count} label={label(count)} />
    </span>
  );
}

/** Milliseconds after which the numbers are read again. */
export const REREAD_AFTER = 60_000;
