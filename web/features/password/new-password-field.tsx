import { useTranslations } from 'use-intl';
import { TextField } from '../../ui/text-field/text-field.tsx';

/** As long as the service takes. */
export const PASSWORD_MAX = 200;

type Props = {
  value: string;
  onValueChange: (value: string) => void;
  /** Fewest characters. */
  min: number;
  error?: string | undefined;
};

/** Where a person types a password he is going to have; he can look at it instead of typing it twice. */
export function NewPasswordField({ min, ...rest }: Props) {
  const t = useTranslations('password');
  return (
    <TextField
      {...rest}
      name="password"
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
