import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Proof, TypedProof } from '../../../shared/entities/proof.ts';
import type { ApiError } from '../../api/api-error.ts';
import { missing, problemOf } from './typed-code.ts';

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
