import { type FormEvent, type ReactNode, useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import type { ApiError } from '../../../api/api-error.ts';
import { CodeField } from '../../../features/second-factor/code-field.tsx';
import type { CodeKind } from '../../../features/second-factor/typed-code.ts';
import { useCode } from '../../../features/second-factor/use-code.ts';
import { Button } from '../../../ui/button/button.tsx';
import formStyles from '../account-form.module.css';
import { FormAlert } from '../form-alert.tsx';

type CodeFormProps = {
  kind: CodeKind;
  attempt: { error: ApiError | null; reset: () => void; isPending: boolean; isSuccess: boolean };
  onCode: (code: string) => void;
  /** Stands above the field. */
  children?: ReactNode;
};

/** One field and a button: the code that a sign-in waits for. */
export function CodeForm({ kind, attempt, onCode, children }: CodeFormProps) {
  const t = useTranslations('signIn');
  const form = useRef<HTMLFormElement>(null);
  const code = useCode(kind, attempt);
  const isBusy = attempt.isPending || attempt.isSuccess;
  useEffect(() => focusInput(form.current), []);
  useEffect(() => {
    if (attempt.error) focusInput(form.current);
  }, [attempt.error]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isBusy) return;
    if (code.check()) onCode(code.value);
    else focusInput(form.current);
  };
  return (
    <form ref={form} className={formStyles.form} method="post" noValidate onSubmit={submit}>
      {code.failure && <FormAlert text={code.failure} />}
      {children}
      <CodeField kind={kind} value={code.value} onValueChange={code.change} error={code.wrong} />
      <Button type="submit" variant="primary" size="l" busy={isBusy} className={formStyles.submit}>
        {t('second_factor_submit')}
      </Button>
    </form>
  );
}

function focusInput(form: HTMLFormElement | null): void {
  form?.querySelector('input')?.focus();
}
