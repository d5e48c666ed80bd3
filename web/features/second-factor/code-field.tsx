import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { PASSWORD_MAX } from '../../../shared/constants.ts';
import type { Proof, TypedProof } from '../../../shared/entities/sign-in.ts';
import type { ApiError } from '../../api/api-error.ts';
import { errorText } from '../../api/error-text.ts';
import { TextField } from '../../ui/text-field/text-field.tsx';

type CodeFieldProps = {
  kind: CodeKind;
  value: string;
  onValueChange: (value: string) => void;
  error: string | undefined;
  onEnter?: () => void;
};

const LABELS = { app: 'code', recovery: 'recovery_code', either: 'either_code' } as const;
/** Longer than any code with separators. */
const LONGEST = 64;

/** Input of a second factor code: typed, pasted, or filled in by the browser. */
export function CodeField({ kind, ...rest }: CodeFieldProps) {
  const t = useTranslations('secondFactor');
  return (
    <TextField
      {...rest}
      name="code"
      label={t(LABELS[kind])}
      hint={kind === 'app' && t('code_hint')}
      inputMode={kind === 'app' ? 'numeric' : 'text'}
      autoComplete={kind === 'recovery' ? 'off' : 'one-time-code'}
      autoCapitalize="none"
      spellCheck={false}
      maxLength={LONGEST}
      required
    />
  );
}

/** State of a code input: its text, and the error of the input or of the attempt. */
export function useCode(kind: CodeKind, attempt: { error: ApiError | null; reset: () => void }) {
  const t = useTranslations();
  const [value, setValue] = useState('');
  const [isMissing, setMissing] = useState(false);
  const { error, reset } = attempt;
  const refused = error ? problemOf(error) : undefined;
  const problem = refused ?? (isMissing ? missing(kind, value) : undefined);
  return {
    value,
    /** Shown beside the field. */
    wrong: problem && t(`secondFactor.${problem}`, { seconds: error?.retryAfter ?? 0 }),
    /** Error that doesn't concern the code. */
    failure: error && !refused ? t(`error.${errorText(error)}`) : undefined,
    change: (typed: string): void => {
      setValue(typed);
      setMissing(false);
      if (error) reset();
    },
    /** Whether the code can be sent; shows the error beside the field if not. */
    check: (): boolean => {
      const isComplete = missing(kind, value) === undefined;
      setMissing(!isComplete);
      return isComplete;
    },
  };
}

/** Accepted codes: six digits of the app, a recovery code, or either. */
export type CodeKind = 'app' | 'recovery' | 'either';

const MISSING = { app: 'app_missing', recovery: 'recovery_missing', either: 'either_missing' } as const;

/** A text of the namespace `secondFactor` about a code. */
type CodeProblem = (typeof MISSING)[CodeKind] | 'wrong' | 'too_many';

/** Client-side validation; apps show "123 456", which may be pasted. */
function missing(kind: CodeKind, typed: string): CodeProblem | undefined {
  const code = typed.normalize('NFKC').replace(/[\s-]/g, '');
  const isThere = kind === 'app' ? /^\d{6}$/.test(code) : code !== '';
  return isThere ? undefined : MISSING[kind];
}

/** The error of a rejected code; undefined for other errors. */
function problemOf(error: ApiError): CodeProblem | undefined {
  if (error.reason === 'SECOND_FACTOR_WRONG') return 'wrong';
  return error.reason === 'TOO_MANY_REQUESTS' && error.retryAfter !== undefined ? 'too_many' : undefined;
}

type ProofFieldProps = {
  proof: Proof;
  value: string;
  onValueChange: (value: string) => void;
  error: string | undefined;
  onEnter?: () => void;
};

/** Attributes of an input for the current password. */
export const CURRENT_PASSWORD = {
  type: 'password',
  autoComplete: 'current-password',
  maxLength: PASSWORD_MAX,
  autoCapitalize: 'none',
  spellCheck: false,
  required: true,
} as const;

/** Reauthentication by code or password. Nothing where neither is required. */
export function ProofField({ proof, ...rest }: ProofFieldProps) {
  const t = useTranslations();
  if (proof === 'code') return <CodeField kind="either" {...rest} />;
  if (proof !== 'password') return null;
  return (
    <TextField
      {...rest}
      name="password"
      {...CURRENT_PASSWORD}
      label={t('proof.password')}
      revealLabel={t('password.reveal')}
    />
  );
}

/** State of a reauthentication: its input, and the error of the input or of the attempt. */
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
    /** Shown beside the field. */
    wrong: isTyped ? wrong() : undefined,
    /** The proof to send with the call. */
    typed: (): TypedProof => {
      if (proof === 'code') return { code: value };
      return proof === 'password' ? { password: value } : {};
    },
    change: (typed: string): void => {
      setValue(typed);
      setMissing(false);
      if (error) reset();
    },
    /** Whether the proof can be sent; shows the error beside the field if not. */
    check: (): boolean => {
      setMissing(hasGap);
      return !isTyped || !hasGap;
    },
  };
}
