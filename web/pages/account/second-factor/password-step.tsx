import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { errorText } from '../../../api/error-text.ts';
import { PASSWORD_MAX } from '../../../features/password/new-password-field.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { TextField } from '../../../ui/text-field/text-field.tsx';
import { problemOf } from '../password/password-problem.ts';
import styles from './second-factor-section.module.css';
import type { useBegin } from './use-own-second-factor.ts';

type Props = { attempt: ReturnType<typeof useBegin>; onCancel: () => void };

/** The password, before a second factor is set up. */
export function PasswordStep({ attempt: { error, isPending, mutate, reset }, onCancel }: Props) {
  const t = useTranslations();
  const form = useRef<HTMLFormElement>(null);
  const [password, setPassword] = useState('');
  const [isMissing, setMissing] = useState(false);
  const refused = error ? problemOf(error).current_password : undefined;
  const wrong = isMissing ? 'account.password_current_missing' : refused;
  const isLate = error?.reason === 'SIGN_IN_NOT_RECENT';
  useEffect(() => focusInput(form.current), []);
  useEffect(() => {
    if (error) focusInput(form.current);
  }, [error]);
  const change = (value: string): void => {
    setPassword(value);
    setMissing(false);
    if (error) reset();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setMissing(password === '');
    if (password === '') focusInput(form.current);
    else if (!isPending) mutate(password);
  };
  return (
    <form ref={form} className={styles.panel} method="post" noValidate onSubmit={submit}>
      <p>{t('account.second_factor_password_text')}</p>
      <div className={styles.field}>
        <TextField
          name="current_password"
          type="password"
          label={t('account.password_current')}
          value={password}
          onValueChange={change}
          error={wrong && t(wrong, { seconds: error?.retryAfter ?? 0 })}
          revealLabel={t('password.reveal')}
          autoComplete="current-password"
          maxLength={PASSWORD_MAX}
          autoCapitalize="none"
          spellCheck={false}
          required
        />
      </div>
      {error && !refused && !isLate && (
        <p className={styles.problem} role="alert">
          {t(`error.${errorText(error)}`)}
        </p>
      )}
      <div className={styles.actions}>
        <Button type="submit" variant="primary" busy={isPending}>
          {t('account.second_factor_continue')}
        </Button>
        <Button variant="outline" onClick={onCancel}>
          {t('account.second_factor_cancel')}
        </Button>
      </div>
    </form>
  );
}

function focusInput(form: HTMLFormElement | null): void {
  form?.querySelector('input')?.focus();
}
