import styles from './spinner.module.css';

/** A turning ring in the colour of the text; says nothing itself, its owner is `aria-busy`. */
export function Spinner() {
  return <span className={styles.spinner} aria-hidden="true" />;
}
