import { type ReactNode, useId } from 'react';
import { classNames } from '../class-names.ts';
import { FieldMessage } from '../field/field.tsx';
import visuallyHidden from '../visually-hidden/visually-hidden.module.css';
import styles from './switch.module.css';

type SwitchProps = {
  label: ReactNode;
  /** The label is only for screen readers. */
  hideLabel?: boolean;
  checked: boolean;
  onChange: (checked: boolean) => void;
  hint?: ReactNode;
  disabled?: boolean;
};

/** A setting that takes effect immediately. */
export function Switch({ label, hideLabel = false, checked, onChange, hint, disabled }: SwitchProps) {
  const id = useId();
  return (
    <div>
      <label className={styles.line}>
        <span className={classNames(styles.label, hideLabel && visuallyHidden.hidden)}>{label}</span>
        <input
          type="checkbox"
          role="switch"
          className={styles.track}
          checked={checked}
          aria-checked={checked}
          disabled={disabled}
          aria-describedby={hint ? `${id}-hint` : undefined}
          onChange={(event) => onChange(event.target.checked)}
        />
      </label>
      <FieldMessage id={id} hint={hint} />
    </div>
  );
}
