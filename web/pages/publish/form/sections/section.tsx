import { type ComponentProps, type ReactNode, useId } from 'react';
import { TextField } from '../../../../ui/text-field/text-field.tsx';
import { write } from '../form-state.ts';
import { useForm } from '../use-form.ts';
import styles from './section.module.css';

type SectionProps = {
  title: string;
  lead?: ReactNode;
  /** At the end of the title's line. */
  aside?: ReactNode;
  children: ReactNode;
};

/** A section of the form with title and description. */
export function FormSection({ title, lead, aside, children }: SectionProps) {
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

/** Marks a field's element for `focusField`. */
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
  name:
    | 'contact'
    | 'copyright_holder'
    | 'plugin_mark'
    | 'version'
    | 'license'
    | 'home_page'
    | 'source_url'
    | 'issues_url';
};

/** A single-line field that isn't translated. */
export function PlainField({ name, ...rest }: PlainFieldProps) {
  const { state, change, problemAt } = useForm();
  return (
    <FormField name={name}>
      <TextField
        {...rest}
        value={state.values[name]}
        onValueChange={(text) => change((now) => write(now, { [name]: text }))}
        error={problemAt(`/${name}`)}
      />
    </FormField>
  );
}

const CONTROLS = 'input:not([disabled]), textarea:not([disabled]), button:not([disabled])';

/** The control of the field at a pointer, if the form shows it. */
export function controlAt(form: HTMLElement | null, pointer: string): HTMLElement | null {
  const [, name = ''] = pointer.split('/');
  return form?.querySelector<HTMLElement>(`[data-field="${CSS.escape(name)}"] :is(${CONTROLS})`) ?? null;
}

/** Scrolls to the field at a pointer and focuses it; false when the form doesn't show it. */
export function focusField(form: HTMLElement | null, pointer: string): boolean {
  const control = controlAt(form, pointer);
  if (!control) return false;
  control.focus({ preventScroll: true });
  control.closest('[data-field]')?.scrollIntoView({ block: 'center' });
  return true;
}
