import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import type { ApiError } from '../../api/api-error.ts';
import { errorText } from '../../api/error-text.ts';
import { useOperation } from '../../api/use-operation.ts';
import { NewPasswordField } from '../../features/password/new-password-field.tsx';
import { weaknessText } from '../../features/password/weakness-text.ts';
import { CurrentPasswordField } from '../../features/second-factor/current-password-field.tsx';
import { useIsHydrated } from '../../layout/use-is-hydrated.ts';
import { Button } from '../../ui/button/button.tsx';
import { type FormProblem, showProblems } from '../../ui/form-problems.ts';
import { useToast } from '../../ui/toast/toast-context.ts';
import styles from './password-section.module.css';

export function ChangeForm({ min }: { min: number }) {
  const t = useTranslations();
  const isHydrated = useIsHydrated();
  const { control, formState, handleSubmit, reset, setError } = useForm<Typed>({
    defaultValues: { current_password: '', password: '' },
  });
  const { mutate, isPending } = useChangePassword();
  const problemOf = (error: ApiError): FormProblem<Typed> => {
    const { reason, retryAfter: seconds } = error;
    const weakness = weaknessText(error);
    if (weakness) return { field: 'password', text: t(weakness, { min }) };
    if (reason === 'PASSWORD_WRONG')
      return { field: 'current_password', text: t('account.password_current_wrong') };
    if (reason === 'TOO_MANY_REQUESTS' && seconds !== undefined)
      return { field: 'current_password', text: t('account.password_too_many', { seconds }) };
    return { field: 'root', text: t(`error.${errorText(error)}`) };
  };
  const submit = handleSubmit((typed) => {
    if (isPending) return;
    mutate(typed, {
      onSuccess: () => reset(),
      onError: (error) => showProblems(setError, [problemOf(error)]),
    });
  });
  const { root } = formState.errors;
  return (
    <form className={styles.form} method="post" noValidate onSubmit={(event) => void submit(event)}>
      {root && (
        <p className={styles.alert} role="alert">
          {root.message}
        </p>
      )}
      <CurrentPasswordField control={control} name="current_password" />
      <NewPasswordField control={control} name="password" min={min} />
      <div className={styles.actions}>
        <Button type="submit" variant="primary" disabled={!isHydrated} busy={isPending}>
          {t('account.password_change')}
        </Button>
      </div>
    </form>
  );
}

type Typed = { current_password: string; password: string };

/** Changes the viewer's password and refetches their sessions. */
function useChangePassword() {
  const t = useTranslations('account');
  const toast = useToast();
  return useOperation((typed: Typed) => ['changePassword', typed], {
    onSuccess: () => toast({ kind: 'success', text: t('password_changed') }),
  });
}
