import { type ComponentProps, type ReactNode, useId } from 'react';
import { TextField } from '../../../ui/text-field/text-field.tsx';
import { useFormFields } from '../form-contexts.tsx';
import styles from './section.module.css';

type SectionProps = {
  title: string;
  lead?: ReactNode;
  /** Stands at the far end of the title's line. */
  aside?: ReactNode;
  children: ReactNode;
};

/** A part of the form, with what it is about. */
export function Section({ title, lead, aside, children }: SectionProps) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.head}>
        <div className={styles.texts}>
          <h2 id={id} className={styles.title}>
            {title}
          </h2>
          {lead && <p className={styles.lead}>{lead}</p>}
        </div>
        {aside}
      </div>
      {children}
    </section>
  );
}

/** Marks the place of a field, so that `focusField` finds it. */
export function FormField({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles.field} data-field={name}>
      {children}
    </div>
  );
}

type PlainFieldProps = Omit<
  ComponentProps<typeof TextField>,
  'name' | 'value' | 'onValueChange' | 'error'
> & {
  name: 'contact' | 'copyright_holder' | 'plugin_mark' | 'version';
};

/** A field of one line that is written once, whatever the language. */
export function PlainField({ name, ...rest }: PlainFieldProps) {
  const { values, setValue, problemAt } = useFormFields();
  return (
    <FormField name={name}>
      <TextField
        {...rest}
        value={values[name]}
        onValueChange={(text) => setValue(name, text)}
        error={problemAt(`/${name}`)}
      />
    </FormField>
  );
}

const CONTROLS = 'input:not([disabled]), textarea:not([disabled]), button:not([disabled])';

/** The control of the field at a pointer, where the form shows one. */
export function controlAt(form: HTMLElement | null, pointer: string): HTMLElement | null {
  const [, name = ''] = pointer.split('/');
  return form?.querySelector<HTMLElement>(`[data-field="${CSS.escape(name)}"] :is(${CONTROLS})`) ?? null;
}

/** Brings the field at a pointer into view and the keyboard to it; false when the form does not show it. */
export function focusField(form: HTMLElement | null, pointer: string): boolean {
  const control = controlAt(form, pointer);
  if (!control) return false;
  control.focus({ preventScroll: true });
  control.closest('[data-field]')?.scrollIntoView({ block: 'center' });
  return true;
}
