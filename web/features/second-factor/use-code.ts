import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ApiError } from '../../api/api-error.ts';
import { errorText } from '../../api/error-text.ts';
import { type CodeKind, missing, problemOf } from './typed-code.ts';

/** A code that is being typed, and what is wrong with it or with the attempt to use it. */
export function useCode(kind: CodeKind, attempt: { error: ApiError | null; reset: () => void }) {
  const t = useTranslations();
  const [value, setValue] = useState('');
  const [isMissing, setMissing] = useState(false);
  const { error, reset } = attempt;
  const refused = error ? problemOf(error) : undefined;
  const problem = refused ?? (isMissing ? missing(kind, value) : undefined);
  return {
    value,
    /** Said beside the field. */
    wrong: problem && t(`secondFactor.${problem}`, { seconds: error?.retryAfter ?? 0 }),
    /** Not about the code. */
    failure: error && !refused ? t(`error.${errorText(error)}`) : undefined,
    change: (typed: string): void => {
      setValue(typed);
      setMissing(false);
      if (error) reset();
    },
    /** Whether there is something to send; says so beside the field when there is not. */
    check: (): boolean => {
      const isThere = missing(kind, value) === undefined;
      setMissing(!isThere);
      return isThere;
    },
  };
}
