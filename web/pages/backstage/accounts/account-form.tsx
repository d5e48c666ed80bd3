import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../../ui/button/button.tsx';
import { TextField } from '../../../ui/text-field/text-field.tsx';
import styles from './account-form.module.css';

export type AccountField = {
  name: string;
  label: string;
  /** What is kept now: the value itself, or of a secret what may be shown. */
  kept: string;
  isSecret: boolean;
};

type Props = {
  fields: readonly AccountField[];
  busy: boolean;
  note: ReactNode;
  /** Calls `onDone` when it has been saved. */
  onSave: (values: Record<string, string>, onDone: () => void) => void;
};

/** An account of a service of somebody else's. A kept secret is never in the form: a new one takes its place. */
export function AccountForm({ fields, busy, note, onSave }: Props) {
  const t = useTranslations('accounts3rd');
  const [typed, setTyped] = useState<Record<string, string>>({});
  const [checked, setChecked] = useState(false);
  const textOf = ({ name, kept, isSecret }: AccountField): string => typed[name] ?? (isSecret ? '' : kept);
  const save = (event: FormEvent): void => {
    event.preventDefault();
    setChecked(true);
    const values = Object.fromEntries(fields.map((field) => [field.name, textOf(field).trim()]));
    if (Object.values(values).includes('')) return;
    onSave(values, () => {
      setTyped({});
      setChecked(false);
    });
  };
  return (
    <form className={styles.form} noValidate onSubmit={save}>
      {fields.map((field) => {
        const value = textOf(field);
        return (
          <TextField
            key={field.name}
            name={field.name}
            label={field.label}
            value={value}
            onValueChange={(next) => setTyped({ ...typed, [field.name]: next })}
            {...(field.isSecret && {
              type: 'password',
              revealLabel: t('reveal'),
              autoComplete: 'new-password',
              hint: field.kept === '' ? t('none_kept') : t('kept', { masked: field.kept }),
            })}
            error={checked && value.trim() === '' ? t('missing', { field: field.label }) : undefined}
            spellCheck={false}
          />
        );
      })}
      <p className={styles.note}>{note}</p>
      <div>
        <Button type="submit" variant="primary" busy={busy}>
          {t('save')}
        </Button>
      </div>
    </form>
  );
}
