import styles from './statistics.module.css';

/** A bar in a cell of a table, beside its number. @param share 0 to 1 of the longest bar */
export function Bar({ share }: { share: number }) {
  return (
    <svg className={styles.bar} viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect width={100 * share} height={8} rx={1} />
    </svg>
  );
}
