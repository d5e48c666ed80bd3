import { useTranslations } from 'use-intl';
import { TextField } from '../../ui/text-field/text-field.tsx';
import type { CodeKind } from './typed-code.ts';

type CodeFieldProps = {
  kind: CodeKind;
  value: string;
  onValueChange: (value: string) => void;
  error: string | undefined;
  onEnter?: () => void;
};

const LABELS = { app: 'code', recovery: 'recovery_code', either: 'either_code' } as const;
/** Longer than any code, with whatever stands between its characters. */
const LONGEST = 64;

/** Where a code of the second factor is typed, pasted, or filled in by the browser. */
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
