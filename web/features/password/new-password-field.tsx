import type { Control, FieldPathByValue, FieldValues } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { PASSWORD_MAX } from '../../../shared/constants.ts';
import { FormTextField } from '../../ui/form-fields.tsx';

type Props<V extends FieldValues, N extends FieldPathByValue<V, string>> = {
  control: Control<V>;
  name: N;
  /** Minimum number of characters. */
  min: number;
};

/** A new password that can be shown, so it needn't be typed twice. */
export function NewPasswordField<V extends FieldValues, N extends FieldPathByValue<V, string>>({
  min,
  ...field
}: Props<V, N>) {
  const t = useTranslations('password');
  const check = (password: string): string | undefined => {
    if (password === '') return t('new_missing');
    return [...password].length < min ? t('short', { min }) : undefined;
  };
  return (
    <FormTextField
      {...field}
      check={check}
      type="password"
      label={t('new')}
      hint={t('hint', { min })}
      revealLabel={t('reveal')}
      autoComplete="new-password"
      maxLength={PASSWORD_MAX}
      autoCapitalize="none"
      spellCheck={false}
      required
    />
  );
}
