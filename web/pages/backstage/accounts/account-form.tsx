import type { ReactNode } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { Button } from '../../../ui/button/button.tsx';
import { FormTextField } from '../../../ui/form-fields.tsx';
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
  const { control, handleSubmit, reset } = useForm<Record<string, string>>({
    values: Object.fromEntries(fields.map(({ name, kept, isSecret }) => [name, isSecret ? '' : kept])),
    resetOptions: { keepDirtyValues: true },
  });
  const save = handleSubmit((values) => {
    const typed = Object.entries(values).map(([name, value]) => [name, value.trim()]);
    onSave(Object.fromEntries(typed), () => reset());
  });
  return (
    <form className={styles.form} noValidate onSubmit={(event) => void save(event)}>
      {fields.map(({ name, label, kept, isSecret }) => (
        <FormTextField
          key={name}
          control={control}
          name={name}
          check={(value) => (value.trim() === '' ? t('missing', { field: label }) : undefined)}
          label={label}
          {...(isSecret && {
            type: 'password',
            revealLabel: t('reveal'),
            autoComplete: 'new-password',
            hint: kept === '' ? t('none_kept') : t('kept', { masked: kept }),
          })}
          spellCheck={false}
        />
      ))}
      <p className={styles.note}>{note}</p>
      <div>
        <Button type="submit" variant="primary" busy={busy}>
          {t('save')}
        </Button>
      </div>
    </form>
  );
}
