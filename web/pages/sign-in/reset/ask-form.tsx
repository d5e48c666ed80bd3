import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import { FALLBACK_LANGUAGE, LANGUAGES } from '../../../../shared/languages.ts';
import type { ApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { errorText } from '../../../api/error-text.ts';
import { useCameToLife } from '../../../layout/use-came-to-life.ts';
import { Button } from '../../../ui/button/button.tsx';
import { TextField } from '../../../ui/text-field/text-field.tsx';
import { FormAlert } from '../form-alert.tsx';
import plain from '../plain-page.module.css';
import { BackToSignIn } from './back-to-sign-in.tsx';
import styles from './reset-page.module.css';

/** Asks for a mail with a link; whether there is such an account is told to its mailbox alone. */
export function AskForm() {
  const t = useTranslations();
  const locale = useLocale();
  const isAlive = useCameToLife();
  const [account, setAccount] = useState('');
  const [isMissing, setMissing] = useState(false);
  const language = LANGUAGES.find((known) => known === locale) ?? FALLBACK_LANGUAGE;
  const { mutate, error, isPending, isSuccess } = useMutation({
    mutationFn: () => call('askPasswordReset', { account: account.trim(), language }),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const missing = account.trim() === '';
    setMissing(missing);
    if (!missing && !isPending) mutate();
  };
  const failure = (failed: ApiError): string =>
    failed.reason === 'TOO_MANY_REQUESTS' && failed.retryAfter !== undefined
      ? t('signIn.too_many_seconds', { seconds: failed.retryAfter })
      : t(`error.${errorText(failed)}`);
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
      <form className={styles.form} method="post" noValidate onSubmit={submit}>
        {error && <FormAlert text={failure(error)} />}
        <TextField
          name="account"
          label={t('signIn.account')}
          value={account}
          onValueChange={setAccount}
          error={isMissing ? t('signIn.account_missing') : undefined}
          autoComplete="username"
          maxLength={254}
          autoCapitalize="none"
          spellCheck={false}
          required
        />
        <Button type="submit" variant="primary" size="l" disabled={!isAlive} busy={isPending}>
          {t('signIn.reset_ask')}
        </Button>
      </form>
      <BackToSignIn />
    </>
  );
}
