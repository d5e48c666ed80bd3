import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useLocation } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import type { SecondFactorState } from '../../../../shared/routes/second-factor.ts';
import { errorText } from '../../../api/error-text.ts';
import { useFailure } from '../../../api/use-failure.ts';
import { CurrentPasswordField } from '../../../features/second-factor/current-password-field.tsx';
import { signInUrl } from '../../../features/session/sign-in-url.ts';
import { Lazy } from '../../../loading/lazy.tsx';
import { lazyWithRetry } from '../../../loading/lazy-with-retry.ts';
import { Button } from '../../../ui/button/button.tsx';
import { buttonClass } from '../../../ui/button/button-class.ts';
import { showProblems } from '../../../ui/form-problems.ts';
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx';
import styles from './second-factor-section.module.css';
import { useRefreshState, useStartEnrolment } from './use-own-second-factor.ts';

/** The QR code library is only loaded here. */
const setUpForm = lazyWithRetry(async () => (await import('./set-up-form.tsx')).SetUpForm);

/** The second factor is off: a button, reauthentication, and the setup. */
export function TurnOn({ confirm }: Pick<SecondFactorState, 'confirm'>) {
  const t = useTranslations();
  const { pathname } = useLocation();
  const attempt = useStartEnrolment();
  const refreshState = useRefreshState();
  const [isOpen, setIsOpen] = useState(false);
  const { data, error, isPending, mutate, reset } = attempt;
  const cancel = (): void => {
    setIsOpen(false);
    reset();
    // The required proof depends on how long ago the user signed in.
    refreshState();
  };
  if (data)
    return (
      <Lazy part={setUpForm} fallback={<Skeleton shape="block" className={styles.place} />}>
        {(SetUpForm) => <SetUpForm setUp={data} onCancel={cancel} />}
      </Lazy>
    );
  const isLate = error?.reason === 'SIGN_IN_NOT_RECENT';
  const requiredProof = isLate && confirm === 'none' ? 'password' : confirm;
  if (isOpen && requiredProof === 'password') return <PasswordStep attempt={attempt} onCancel={cancel} />;
  if (isOpen && requiredProof === 'sign_in')
    return (
      <div className={styles.panel}>
        <p>{t('account.second_factor_sign_in_text')}</p>
        <div className={styles.actions}>
          <a className={buttonClass({ variant: 'primary' })} href={signInUrl(pathname)}>
            {t('account.second_factor_sign_in')}
          </a>
          <Button variant="outline" onClick={cancel}>
            {t('common.cancel')}
          </Button>
        </div>
      </div>
    );
  const start = (): void => {
    setIsOpen(true);
    if (confirm === 'none') mutate(undefined);
  };
  return (
    <div className={styles.panel}>
      {error && (
        <p className={styles.problem} role="alert">
          {t(`error.${errorText(error)}`)}
        </p>
      )}
      <div className={styles.actions}>
        <Button variant="primary" busy={isPending} onClick={start}>
          {t('account.second_factor_turn_on')}
        </Button>
      </div>
    </div>
  );
}

type Props = { attempt: ReturnType<typeof useStartEnrolment>; onCancel: () => void };

/** The password, before a second factor is set up. */
function PasswordStep({ attempt: { isPending, mutate }, onCancel }: Props) {
  const t = useTranslations();
  const { control, formState, handleSubmit, setError, setFocus } = useForm({
    defaultValues: { current_password: '' },
  });
  useEffect(() => setFocus('current_password'), [setFocus]);
  const failureOf = useFailure<{ current_password: string }>({
    errorMessages: ({ reason, retryAfter: seconds }) => {
      if (reason === 'PASSWORD_WRONG')
        return { at: 'current_password', text: t('account.password_current_wrong') };
      return reason === 'TOO_MANY_REQUESTS' && seconds !== undefined
        ? { at: 'current_password', text: t('account.password_too_many', { seconds }) }
        : undefined;
    },
  });
  const submit = handleSubmit(({ current_password }) => {
    if (isPending) return;
    mutate(current_password, {
      onError: (error) => {
        if (error.reason !== 'SIGN_IN_NOT_RECENT') showProblems(setError, failureOf(error));
      },
    });
  });
  const { root } = formState.errors;
  return (
    <form className={styles.panel} method="post" noValidate onSubmit={(event) => void submit(event)}>
      <p>{t('account.second_factor_password_text')}</p>
      <div className={styles.field}>
        <CurrentPasswordField control={control} name="current_password" />
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
          {t('common.cancel')}
        </Button>
      </div>
    </form>
  );
}
