import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Proof, TypedProof } from '../../../shared/entities/proof.ts';
import type { ApiError } from '../../api/api-error.ts';
import { TextField } from '../../ui/text-field/text-field.tsx';
import { CodeField, missing, problemOf } from './code-field.tsx';

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

/** What is typed to prove again who somebody is, and what is wrong with it or with the attempt to use it. */
export function useProof(proof: Proof, { error, reset }: { error: ApiError | null; reset: () => void }) {
  const t = useTranslations();
  const [value, setValue] = useState('');
  const [isMissing, setMissing] = useState(false);
  const isTyped = proof === 'code' || proof === 'password';
  const hasGap = proof === 'code' ? missing('either', value) !== undefined : value === '';
  const wrong = (): string | undefined => {
    const seconds = error?.retryAfter ?? 0;
    if (error?.reason === 'PASSWORD_WRONG') return t('proof.password_wrong');
    const refused = error ? problemOf(error) : undefined;
    if (refused) return t(`secondFactor.${refused}`, { seconds });
    if (!isMissing || !hasGap) return undefined;
    return t(proof === 'code' ? 'secondFactor.either_missing' : 'proof.password_missing');
  };
  return {
    value,
    /** Said beside the field. */
    wrong: isTyped ? wrong() : undefined,
    /** What goes along with the call. */
    typed: (): TypedProof => {
      if (proof === 'code') return { code: value };
      return proof === 'password' ? { password: value } : {};
    },
    change: (typed: string): void => {
      setValue(typed);
      setMissing(false);
      if (error) reset();
    },
    /** Whether there is something to send; says so beside the field when there is not. */
    check: (): boolean => {
      setMissing(hasGap);
      return !isTyped || !hasGap;
    },
  };
}
