import { useNavigation } from 'react-router-dom';
import styles from './progress-line.module.css';

/** A line at the top while a navigation waits; its style lets a quick one pass unseen. */
export function ProgressLine() {
  return useNavigation().state !== 'idle' && <div className={styles.line} role="presentation" />;
}
