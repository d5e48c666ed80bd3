import styles from './spinner.module.css';

/** A spinner in the text colour; silent, its owner has `aria-busy`. */
export function Spinner() {
  return <span className={styles.spinner} aria-hidden="true" />;
}
