import { useId } from 'react';
import styles from './segmented.module.css';

type SegmentedChoiceProps<V extends string | number> = {
  label: string;
  options: readonly { value: V; label: string }[];
  value: V;
  onChange: (value: V) => void;
};

/** Radio buttons as a segmented control for few short options. */
export function SegmentedChoice<V extends string | number>({
  label,
  options,
  value,
  onChange,
}: SegmentedChoiceProps<V>) {
  const name = useId();
  return (
    <fieldset className={styles.row} aria-label={label}>
      {options.map((option) => (
        <label key={option.value} className={styles.segment}>
          <input
            type="radio"
            className={styles.radio}
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
