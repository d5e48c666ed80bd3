import { useEffect } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { errorText } from '../../../api/error-text.ts';
import { PASSWORD_MAX } from '../../../features/password/new-password-field.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { FormTextField } from '../../../ui/form-fields.tsx';
import { showProblems } from '../../../ui/form-problems.ts';
import styles from './second-factor-section.module.css';
import type { useBegin } from './use-own-second-factor.ts';

type Props = { attempt: ReturnType<typeof useBegin>; onCancel: () => void };

/** The password, before a second factor is set up. */
export function PasswordStep({ attempt: { isPending, mutate }, onCancel }: Props) {
  const t = useTranslations();
  const { control, formState, handleSubmit, setError, setFocus } = useForm({
    defaultValues: { current_password: '' },
  });
  useEffect(() => setFocus('current_password'), [setFocus]);
  const submit = handleSubmit(({ current_password }) => {
    if (isPending) return;
    mutate(current_password, {
      onError: (error) => {
        const { reason, retryAfter: seconds } = error;
        const isEarly = reason === 'TOO_MANY_REQUESTS' && seconds !== undefined;
        const text =
          reason === 'PASSWORD_WRONG'
            ? t('account.password_current_wrong')
            : isEarly && t('account.password_too_many', { seconds });
        if (text) showProblems(setError, [{ field: 'current_password', text }]);
        else if (reason !== 'SIGN_IN_NOT_RECENT')
          showProblems(setError, [{ field: 'root', text: t(`error.${errorText(error)}`) }]);
      },
    });
  });
  const { root } = formState.errors;
  return (
    <form className={styles.panel} method="post" noValidate onSubmit={(event) => void submit(event)}>
      <p>{t('account.second_factor_password_text')}</p>
      <div className={styles.field}>
        <FormTextField
          control={control}
          name="current_password"
          check={(password) => (password === '' ? t('account.password_current_missing') : undefined)}
          type="password"
          label={t('account.password_current')}
          revealLabel={t('password.reveal')}
          autoComplete="current-password"
          maxLength={PASSWORD_MAX}
          autoCapitalize="none"
          spellCheck={false}
          required
        />
      </div>
      {root && (
        <p className={styles.problem} role="alert">
          {root.message}
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
