import { useId } from 'react';
import styles from './progress.module.css';

type ProgressProps = {
  label: string;
  /** Completed share, 0 to 1; null while unknown. */
  value: number | null;
  /** The progress as text, beside the label. */
  detail?: string;
};

export function Progress({ label, value, detail }: ProgressProps) {
  const id = useId();
  const percent = value === null ? undefined : Math.round(Math.min(1, Math.max(0, value)) * 100);
  return (
    <div className={styles.progress}>
      <div className={styles.head}>
        <span id={id} className={styles.label}>
          {label}
        </span>
        {detail && <span className={styles.detail}>{detail}</span>}
      </div>
      <div
        className={styles.track}
        role="progressbar"
        aria-labelledby={id}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={detail}
      >
        {percent === undefined ? (
          <span className={styles.unknown} />
        ) : (
          <svg width="100%" height="6" aria-hidden="true" focusable="false">
            <rect className={styles.done} width={`${percent}%`} height="6" rx="3" />
          </svg>
        )}
      </div>
    </div>
  );
}
