import { useTranslations } from 'use-intl';
import type { Proof } from '../../../shared/entities/proof.ts';
import { TextField } from '../../ui/text-field/text-field.tsx';
import { CodeField } from './code-field.tsx';

type ProofFieldProps = {
  proof: Proof;
  value: string;
  onValueChange: (value: string) => void;
  error: string | undefined;
  onEnter?: () => void;
};

/** The service takes no longer passwords. */
const PASSWORD_MAX = 200;

/** Where somebody signed in proves again who they are: a code, or the password. Nothing where neither is asked for. */
export function ProofField({ proof, ...rest }: ProofFieldProps) {
  const t = useTranslations();
  if (proof === 'code') return <CodeField kind="either" {...rest} />;
  if (proof !== 'password') return null;
  return (
    <TextField
      {...rest}
      name="password"
      type="password"
      label={t('proof.password')}
      revealLabel={t('password.reveal')}
      autoComplete="current-password"
      maxLength={PASSWORD_MAX}
      autoCapitalize="none"
      spellCheck={false}
      required
    />
  );
}
