import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import { call } from '../../../api/client.ts';
import { errorText } from '../../../api/error-text.ts';
import { NewPasswordField } from '../../../features/password/new-password-field.tsx';
import { type WeaknessText, weaknessText } from '../../../features/password/weakness-text.ts';
import { useCameToLife } from '../../../layout/use-came-to-life.ts';
import { Button } from '../../../ui/button/button.tsx';
import { FormAlert } from '../form-alert.tsx';
import plain from '../plain-page.module.css';
import { AfterReset } from './after-reset.tsx';
import { LinkOver } from './link-over.tsx';
import styles from './reset-page.module.css';

type Props = { token: string; forget: () => void; min: number };

/** The new password, by a link that is good once. */
export function SetForm({ token, forget, min }: Props) {
  const t = useTranslations();
  const isAlive = useCameToLife();
  const [password, setPassword] = useState('');
  const [wrong, setWrong] = useState<'password.new_missing' | WeaknessText>();
  const { mutate, reset, error, isPending, data } = useMutation({
    gcTime: 0,
    mutationFn: () => call('finishPasswordReset', { token, password }),
    onError: (refusal) => setWrong(weaknessText(refusal)),
  });
  const change = (value: string): void => {
    setPassword(value);
    setWrong(undefined);
    if (error) reset();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (password === '') setWrong('password.new_missing');
    else if ([...password].length < min) setWrong('password.short');
    else if (!isPending) mutate();
  };
  if (data) return <AfterReset told={data} />;
  if (error?.reason === 'PASSWORD_LINK_INVALID') return <LinkOver onAgain={forget} />;
  const disabled = error?.reason === 'ACCOUNT_DISABLED';
  return (
    <>
      <p className={plain.text}>{t('signIn.reset_set_text')}</p>
      <form className={styles.form} method="post" noValidate onSubmit={submit}>
        {error && !wrong && (
          <FormAlert text={disabled ? t('signIn.account_disabled') : t(`error.${errorText(error)}`)} />
        )}
        <NewPasswordField
          value={password}
          onValueChange={change}
          min={min}
          error={wrong && t(wrong, { min })}
        />
        <Button type="submit" variant="primary" size="l" disabled={!isAlive} busy={isPending}>
          {t('signIn.reset_set')}
        </Button>
      </form>
    </>
  );
}
