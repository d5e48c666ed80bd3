import { type ReactNode, useEffect, useId, useRef } from 'react';
import { classNames } from '../class-names.ts';
import { FieldMessage } from '../field/field.tsx';
import visuallyHidden from '../visually-hidden/visually-hidden.module.css';
import styles from './checkbox.module.css';

type CheckboxProps = {
  label: ReactNode;
  /** The label is only for screen readers. */
  hideLabel?: boolean;
  checked: boolean;
  /** Some of its items are checked. */
  indeterminate?: boolean;
  onChange: (checked: boolean) => void;
  hint?: ReactNode;
  error?: string | undefined;
  disabled?: boolean;
  name?: string;
};

/** A value that takes effect when the form is submitted. */
export function Checkbox({
  label,
  hideLabel = false,
  checked,
  indeterminate = false,
  onChange,
  hint,
  error,
  ...rest
}: CheckboxProps) {
  const id = useId();
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = indeterminate;
  }, [indeterminate]);
  return (
    <div>
      <label className={styles.line}>
        <input
          {...rest}
          ref={box}
          type="checkbox"
          className={styles.box}
          checked={checked}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : hint ? `${id}-hint` : undefined}
          onChange={(event) => onChange(event.target.checked)}
        />
        <span className={classNames(styles.label, hideLabel && visuallyHidden.hidden)}>{label}</span>
      </label>
      <div className={styles.message}>
        <FieldMessage id={id} hint={hint} error={error} />
      </div>
    </div>
  );
}
