import { useIsNavigating } from '../routing/router-context.ts';
import styles from './progress-line.module.css';

/** A line at the top while a navigation waits; its style lets a quick one pass unseen. */
export function ProgressLine() {
  return useIsNavigating() && <div className={styles.line} role="presentation" />;
}
