import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import type { ApiError } from '../../api/api-error.ts';
import type { Refusal } from '../../api/use-failure.ts';
import { useOperation } from '../../api/use-operation.ts';
import { NewPasswordField } from '../../features/password/new-password-field.tsx';
import { weaknessText } from '../../features/password/weakness-text.ts';
import { CurrentPasswordField } from '../../features/second-factor/current-password-field.tsx';
import { useIsHydrated } from '../../layout/use-is-hydrated.ts';
import { Button } from '../../ui/button/button.tsx';
import styles from './account-section.module.css';

export function ChangeForm({ min }: { min: number }) {
  const t = useTranslations();
  const isHydrated = useIsHydrated();
  const { control, formState, handleSubmit, reset, setError } = useForm<Typed>({
    defaultValues: { current_password: '', password: '' },
  });
  const refusalOf = (error: ApiError): Refusal<Typed> | undefined => {
    const { reason, retryAfter: seconds } = error;
    const weakness = weaknessText(error);
    if (weakness) return { at: 'password', text: t(weakness, { min }) };
    if (reason === 'PASSWORD_WRONG')
      return { at: 'current_password', text: t('account.password_current_wrong') };
    if (reason === 'TOO_MANY_REQUESTS' && seconds !== undefined)
      return { at: 'current_password', text: t('account.password_too_many', { seconds }) };
    return undefined;
  };
  const { mutate, isPending } = useOperation('changePassword', (typed: Typed) => typed, {
    done: t('account.password_changed'),
    failsIn: { setError },
    errorMessages: refusalOf,
    onSuccess: () => reset(),
  });
  const submit = handleSubmit((typed) => {
    if (!isPending) mutate(typed);
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
