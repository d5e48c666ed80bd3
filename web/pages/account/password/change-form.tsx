import { type FormEvent, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { errorText } from '../../../api/error-text.ts';
import { NewPasswordField, PASSWORD_MAX } from '../../../features/password/new-password-field.tsx';
import { useCameToLife } from '../../../layout/use-came-to-life.ts';
import { Button } from '../../../ui/button/button.tsx';
import { TextField } from '../../../ui/text-field/text-field.tsx';
import { type PasswordProblem, problemOf, type Typed, wrongIn } from './password-problem.ts';
import styles from './password-section.module.css';
import { useChangePassword } from './use-change-password.ts';

const NOTHING: Typed = { current_password: '', password: '' };

/** The current password and the new one. */
export function ChangeForm({ min }: { min: number }) {
  const t = useTranslations();
  const isAlive = useCameToLife();
  const form = useRef<HTMLFormElement>(null);
  const [typed, setTyped] = useState(NOTHING);
  const [wrong, setWrong] = useState<PasswordProblem>({});
  const { mutate, reset, error, isPending } = useChangePassword();
  const refused = error ? problemOf(error) : {};
  const shown = { ...wrong, ...refused };
  const isExplained = refused.current_password !== undefined || refused.password !== undefined;
  const change = (values: Partial<Typed>): void => {
    setTyped({ ...typed, ...values });
    setWrong({});
    if (error) reset();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const found = wrongIn(typed, min);
    setWrong(found);
    if (Object.keys(found).length > 0) focusFirst(form.current, found);
    else if (!isPending) {
      mutate(typed, {
        onSuccess: () => setTyped(NOTHING),
        onError: (refusal) => focusFirst(form.current, problemOf(refusal)),
      });
    }
  };
  const values = { min, seconds: error?.retryAfter ?? 0 };
  return (
    <form ref={form} className={styles.form} method="post" noValidate onSubmit={submit}>
      {error && !isExplained && (
        <p className={styles.alert} role="alert">
          {t(`error.${errorText(error)}`)}
        </p>
      )}
      <TextField
        name="current_password"
        type="password"
        label={t('account.password_current')}
        value={typed.current_password}
        onValueChange={(current_password) => change({ current_password })}
        error={shown.current_password && t(shown.current_password, values)}
        revealLabel={t('password.reveal')}
        autoComplete="current-password"
        maxLength={PASSWORD_MAX}
        autoCapitalize="none"
        spellCheck={false}
        required
      />
      <NewPasswordField
        value={typed.password}
        onValueChange={(password) => change({ password })}
        min={min}
        error={shown.password && t(shown.password, values)}
      />
      <div className={styles.actions}>
        <Button type="submit" variant="primary" disabled={!isAlive} busy={isPending}>
          {t('account.password_change')}
        </Button>
      </div>
    </form>
  );
}

function focusFirst(form: HTMLFormElement | null, { current_password, password }: PasswordProblem): void {
  if (!current_password && !password) return;
  const field = form?.elements.namedItem(current_password ? 'current_password' : 'password');
  if (field instanceof HTMLElement) field.focus();
}
