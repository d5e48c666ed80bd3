import { type ReactNode, type Ref, useId } from 'react';
import { classNames } from '../class-names.ts';
import { Counter, describedBy, Field, type FieldFacts } from '../field/field.tsx';
import styles from './text-area.module.css';

type TextAreaProps = Omit<FieldFacts, 'note'> & {
  value: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
  ref?: Ref<HTMLTextAreaElement>;
  /** Maximum number of characters (code points); more can be typed, so that nothing is cut off unnoticed. */
  maxLength?: number;
  required?: boolean;
  rows?: number;
  name?: string;
  placeholder?: string;
  /** BCP 47 tag of its content, if that isn't the page's language. */
  lang?: string;
  disabled?: boolean;
  note?: ReactNode;
  className?: string;
};

/** A multi-line text field that grows with its text where the browser supports it. */
export function TextArea({
  label,
  hideLabel,
  hint,
  error,
  note,
  value,
  onChange,
  maxLength,
  rows = 4,
  className,
  ...rest
}: TextAreaProps) {
  const id = useId();
  const aside = maxLength === undefined ? note : <Counter value={value} max={maxLength} />;
  const facts = { label, hideLabel: hideLabel ?? false, hint, error, note: aside };
  return (
    <Field {...facts} id={id} className={className}>
      <textarea
        {...rest}
        id={id}
        rows={rows}
        className={classNames(styles.area, error && styles.wrong)}
        value={value}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(id, facts)}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  );
}
