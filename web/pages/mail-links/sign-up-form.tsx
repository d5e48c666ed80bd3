import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { errorText } from '../../api/error-text.ts';
import { NewPasswordField } from '../../features/password/new-password-field.tsx';
import { type WeaknessText, weaknessText } from '../../features/password/weakness-text.ts';
import { useCameToLife } from '../../layout/use-came-to-life.ts';
import { Button } from '../../ui/button/button.tsx';
import { TextField } from '../../ui/text-field/text-field.tsx';
import { FormAlert } from '../sign-in/form-alert.tsx';
import plain from '../sign-in/plain-page.module.css';
import { BackToSignIn } from '../sign-in/reset/back-to-sign-in.tsx';
import styles from '../sign-in/reset/reset-page.module.css';

type Props = { token: string; forget: () => void; min: number };
type Wrong = { nick_name?: 'signIn.nick_name_missing'; password?: 'password.new_missing' | WeaknessText };

/** Name and password of an account that a mailed link makes. */
export function SignUpForm({ token, forget, min }: Props) {
  const t = useTranslations();
  const isAlive = useCameToLife();
  const form = useRef<HTMLFormElement>(null);
  const [typed, setTyped] = useState({ nick_name: '', password: '' });
  const [wrong, setWrong] = useState<Wrong>({});
  const { mutate, reset, error, isPending, isSuccess } = useMutation({
    mutationFn: () =>
      call('finishSignUp', { token, nick_name: typed.nick_name.trim(), password: typed.password }),
    onError: (refusal) => show(refusedBy(refusal)),
  });
  const show = (found: Wrong): void => {
    setWrong(found);
    const [first] = Object.keys(found);
    const field = first && form.current?.elements.namedItem(first);
    if (field instanceof HTMLElement) field.focus();
  };
  const change = (values: Partial<typeof typed>): void => {
    setTyped({ ...typed, ...values });
    setWrong({});
    if (error) reset();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const found = wrongIn(typed, min);
    show(found);
    if (Object.keys(found).length === 0 && !isPending) mutate();
  };
  if (isSuccess)
    return (
      <>
        <p className={plain.done} role="status">
          {t('signIn.sign_up_done')}
        </p>
        <BackToSignIn primary />
      </>
    );
  if (error?.reason === 'MAIL_LINK_INVALID' || error?.reason === 'ACCOUNT_EXISTS')
    return (
      <div className={styles.form}>
        <FormAlert
          text={t(error.reason === 'ACCOUNT_EXISTS' ? 'signIn.account_taken' : 'signIn.sign_up_link_over')}
        />
        <Button variant="primary" size="l" onClick={forget}>
          {t('signIn.sign_up_again')}
        </Button>
      </div>
    );
  return (
    <>
      <p className={plain.text}>{t('signIn.sign_up_finish_text')}</p>
      <form ref={form} className={styles.form} method="post" noValidate onSubmit={submit}>
        {error && Object.keys(wrong).length === 0 && <FormAlert text={t(`error.${errorText(error)}`)} />}
        <TextField
          name="nick_name"
          label={t('signIn.nick_name')}
          hint={t('signIn.nick_name_hint')}
          value={typed.nick_name}
          onValueChange={(nick_name) => change({ nick_name })}
          error={wrong.nick_name && t(wrong.nick_name)}
          autoComplete="nickname"
          maxLength={40}
          spellCheck={false}
          required
        />
        <NewPasswordField
          value={typed.password}
          onValueChange={(password) => change({ password })}
          min={min}
          error={wrong.password && t(wrong.password, { min })}
        />
        <Button type="submit" variant="primary" size="l" disabled={!isAlive} busy={isPending}>
          {t('signIn.sign_up_finish')}
        </Button>
      </form>
    </>
  );
}

function wrongIn({ nick_name, password }: { nick_name: string; password: string }, min: number): Wrong {
  return {
    ...(nick_name.trim() === '' && { nick_name: 'signIn.nick_name_missing' }),
    ...(password === '' && { password: 'password.new_missing' }),
    ...(password !== '' && [...password].length < min && { password: 'password.short' }),
  };
}

function refusedBy(refusal: ApiError): Wrong {
  const weakness = weaknessText(refusal);
  if (weakness) return { password: weakness };
  const isName = refusal.details.some(({ pointer }) => pointer === '/nick_name');
  return isName ? { nick_name: 'signIn.nick_name_missing' } : {};
}
