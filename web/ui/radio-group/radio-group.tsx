import { type Ref, useId, useImperativeHandle, useRef } from 'react';
import { classNames } from '../class-names.ts';
import { FieldMessage } from '../field/field.tsx';
import visuallyHidden from '../visually-hidden/visually-hidden.module.css';
import styles from './radio-group.module.css';

export type RadioOption<V extends string> = { value: V; label: string; hint?: string; disabled?: boolean };

type RadioGroupProps<V extends string> = {
  label: string;
  /** The label is only for screen readers. */
  hideLabel?: boolean;
  options: readonly RadioOption<V>[];
  /** Undefined without a choice. */
  value: V | undefined;
  onChange: (value: V) => void;
  hint?: string;
  error?: string | undefined;
  /** Side by side if they fit. */
  inline?: boolean;
  disabled?: boolean;
  /** Focuses the chosen option, or the first. */
  ref?: Ref<Pick<HTMLElement, 'focus'>>;
};

export function RadioGroup<V extends string>({
  label,
  hideLabel = false,
  options,
  value,
  onChange,
  hint,
  error,
  inline = false,
  disabled = false,
  ref,
}: RadioGroupProps<V>) {
  const id = useId();
  const group = useRef<HTMLFieldSetElement>(null);
  useImperativeHandle(ref, () => ({
    focus: () => group.current?.querySelector<HTMLElement>('input:checked, input:enabled')?.focus(),
  }));
  return (
    <fieldset
      ref={group}
      className={styles.group}
      disabled={disabled}
      aria-describedby={error ? `${id}-error` : hint ? `${id}-hint` : undefined}
    >
      <legend className={hideLabel ? visuallyHidden.hidden : styles.label}>{label}</legend>
      <div className={classNames(styles.options, inline && styles.inline)}>
        {options.map((option) => (
          <label key={option.value} className={styles.option}>
            <input
              type="radio"
              className={styles.dot}
              name={id}
              value={option.value}
              checked={option.value === value}
              disabled={option.disabled}
              aria-invalid={error ? true : undefined}
              onChange={() => onChange(option.value)}
            />
            <span className={styles.text}>
              {option.label}
              {option.hint && <span className={styles.hint}>{option.hint}</span>}
            </span>
          </label>
        ))}
      </div>
      <FieldMessage id={id} hint={hint} error={error} />
    </fieldset>
  );
}
