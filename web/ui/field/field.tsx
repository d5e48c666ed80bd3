import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import visuallyHidden from '../visually-hidden/visually-hidden.module.css';
import styles from './field.module.css';

export type FieldFacts = {
  label: ReactNode;
  /** The label is only for screen readers. */
  hideLabel?: boolean;
  hint?: ReactNode;
  error?: string | undefined;
  /** At the end of the label's line: "optional", a counter. */
  note?: ReactNode;
};

type FieldProps = FieldFacts & {
  /** Id of the control, from which the ids of the other parts are derived. */
  id: string;
  className?: string | undefined;
  children: ReactNode;
};

/** `aria-describedby` of a field's control: its error or hint, and its note. */
export function describedBy(id: string, { error, hint, note }: Omit<FieldFacts, 'label'>) {
  return classNames(error ? `${id}-error` : hint ? `${id}-hint` : undefined, note ? `${id}-note` : undefined);
}

/** Label, hint and error around the control of a form; the control itself carries `id` and `describedBy`. */
export function Field({ id, label, hideLabel = false, hint, error, note, className, children }: FieldProps) {
  return (
    <div className={classNames(styles.field, className)}>
      <div className={hideLabel ? visuallyHidden.hidden : styles.head}>
        <label htmlFor={id} id={`${id}-label`} className={styles.label}>
          {label}
        </label>
        {note && (
          <span id={`${id}-note`} className={styles.note}>
            {note}
          </span>
        )}
      </div>
      {children}
      <FieldMessage id={id} hint={hint} error={error} />
    </div>
  );
}

/** The line below a control: its error, which is announced when it appears, else its hint. */
export function FieldMessage({ id, hint, error }: Pick<FieldFacts, 'hint' | 'error'> & { id: string }) {
  return (
    <>
      <div className={styles.message} aria-live="polite">
        {error && (
          <p id={`${id}-error`} className={styles.error}>
            {error}
          </p>
        )}
      </div>
      {hint && !error && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
    </>
  );
}

/** Used and maximum number of characters (code points). */
export function Counter({ value, max }: { value: string; max: number }) {
  const used = [...value].length;
  return (
    <span className={used > max ? styles.over : undefined}>
      {used}/{max}
    </span>
  );
}
