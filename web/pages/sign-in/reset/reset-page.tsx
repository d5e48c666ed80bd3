import { useQuery } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useLocale, useTranslations } from 'use-intl';
import { FALLBACK_LANGUAGE, LANGUAGES } from '../../../../shared/languages.ts';
import { queryOptionsOf } from '../../../api/queries.ts';
import { useOperation } from '../../../api/use-operation.ts';
import { usePageHead } from '../../../layout/page-head.tsx';
import { useIsHydrated } from '../../../layout/use-is-hydrated.ts';
import { Button } from '../../../ui/button/button.tsx';
import { FormTextField } from '../../../ui/form-fields.tsx';
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx';
import { FormAlert } from '../form-alert.tsx';
import { useLinkToken } from '../link-token.ts';
import plain from '../plain-page.module.css';
import { SignInPageFrame } from '../sign-in-frame.tsx';
import { BackToSignIn } from './forgot-password.tsx';
import styles from './reset-page.module.css';
import { SetForm } from './set-form.tsx';

const PASSWORD_MIN = 10;

/** Sets a new password by a link, or requests one by mail. */
export function ResetPage() {
  const t = useTranslations('signIn');
  const [token, forget] = useLinkToken('password-link');
  const { data: options, isPending } = useQuery(queryOptionsOf('readSignInOptions', {}));
  usePageHead({ title: t('reset_title') });
  const isWaiting = token === undefined || (token === null && isPending);
  return (
    <SignInPageFrame>
      <h1 className={plain.title}>{t('reset_title')}</h1>
      {isWaiting && <Skeleton className={plain.placeholder} />}
      {token && <SetForm token={token} forget={forget} min={options?.password_min ?? PASSWORD_MIN} />}
      {token === null &&
        !isPending &&
        (options?.reset === 'administrator' ? <ByAdministrator /> : <AskForm />)}
    </SignInPageFrame>
  );
}

/** Where no mail is configured: how to contact an administrator instead. */
function ByAdministrator() {
  const t = useTranslations('signIn');
  return (
    <>
      <p className={plain.text}>{t('reset_by_administrator')}</p>
      <BackToSignIn />
    </>
  );
}

/** Requests a mail with a link; only the mail itself reveals whether the account exists. */
function AskForm() {
  const t = useTranslations();
  const locale = useLocale();
  const isHydrated = useIsHydrated();
  const { control, formState, handleSubmit, setError } = useForm({ defaultValues: { account: '' } });
  const language = LANGUAGES.find((known) => known === locale) ?? FALLBACK_LANGUAGE;
  const payloadOf = (account: string) => ({ account: account.trim(), language });
  const { mutate, isPending, isSuccess } = useOperation('askPasswordReset', payloadOf, {
    failsIn: { setError },
    errorMessages: ({ reason, retryAfter: seconds }) =>
      reason === 'TOO_MANY_REQUESTS' && seconds !== undefined
        ? t('signIn.too_many_seconds', { seconds })
        : undefined,
  });
  const submit = handleSubmit(({ account }) => {
    if (!isPending) mutate(account);
  });
  if (isSuccess) {
    return (
      <>
        <p className={plain.done} role="status">
          {t('signIn.reset_asked')}
        </p>
        <BackToSignIn />
      </>
    );
  }
  return (
    <>
      <p className={plain.text}>{t('signIn.reset_ask_text')}</p>
      <form className={styles.form} method="post" noValidate onSubmit={(event) => void submit(event)}>
        {formState.errors.root?.message && <FormAlert text={formState.errors.root.message} />}
        <FormTextField
          control={control}
          name="account"
          check={(account) => (account.trim() === '' ? t('signIn.account_missing') : undefined)}
          label={t('signIn.account')}
          autoComplete="username"
          maxLength={254}
          autoCapitalize="none"
          spellCheck={false}
          required
        />
        <Button type="submit" variant="primary" size="l" disabled={!isHydrated} busy={isPending}>
          {t('signIn.reset_ask')}
        </Button>
      </form>
      <BackToSignIn />
    </>
  );
}
