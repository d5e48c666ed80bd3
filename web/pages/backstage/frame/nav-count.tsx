import { useFormatter } from 'use-intl';
import { CountBadge } from '../../../ui/badge/count-badge.tsx';
import styles from './side-nav.module.css';

type NavCountProps = {
  /** Undefined while it is not known. */
  count: number | undefined;
  /** What is counted, behind the number. */
  of: string;
};

/** How much there is to do on a screen, beside its title in the navigation; nothing when there is nothing. */
export function NavCount({ count, of }: NavCountProps) {
  const format = useFormatter();
  if (!count) return null;
  return (
    <span className={styles.count}>
      <CountBadge count={count} label={`${format.number(count)} ${of}`} />
    </span>
  );
}

/** Milliseconds after which the numbers are read again. */
export const REREAD_AFTER = 60_000;
