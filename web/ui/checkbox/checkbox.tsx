import { type ReactNode, useEffect, useId, useRef } from 'react';
import { classNames } from '../class-names.ts';
import { FieldMessage } from '../field/field.tsx';
import styles from './checkbox.module.css';

type CheckboxProps = {
  label: ReactNode;
  /** The label is heard but not seen. */
  hideLabel?: boolean;
  checked: boolean;
  /** Some of what it stands for is chosen. */
  indeterminate?: boolean;
  onChange: (checked: boolean) => void;
  hint?: ReactNode;
  error?: string | undefined;
  disabled?: boolean;
  name?: string;
};

/** Something that is so or not so, once the form is sent. */
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
        <span className={classNames(styles.label, hideLabel && styles.unseen)}>{label}</span>
      </label>
      <div className={styles.message}>
        <FieldMessage id={id} hint={hint} error={error} />
      </div>
    </div>
  );
}
