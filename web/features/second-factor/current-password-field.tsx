import type { Control, FieldPathByValue, FieldValues } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { FormTextField } from '../../ui/form-fields.tsx';
import { CURRENT_PASSWORD } from './code-field.tsx';

type Props<V extends FieldValues, N extends FieldPathByValue<V, string>> = { control: Control<V>; name: N };

/** The current password, required before a change. */
export function CurrentPasswordField<V extends FieldValues, N extends FieldPathByValue<V, string>>(
  field: Props<V, N>,
) {
  const t = useTranslations();
  return (
    <FormTextField
      {...field}
      check={(password) => (password === '' ? t('account.password_current_missing') : undefined)}
      {...CURRENT_PASSWORD}
      label={t('account.password_current')}
      revealLabel={t('password.reveal')}
    />
  );
}
