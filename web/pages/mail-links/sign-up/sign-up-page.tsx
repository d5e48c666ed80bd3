import { useQuery } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { BASE_PATH } from '../../../../shared/constants.ts';
import { queryOptionsOf } from '../../../api/queries.ts';
import { useOperation } from '../../../api/use-operation.ts';
import { NewPasswordField } from '../../../features/password/new-password-field.tsx';
import { signInUrl } from '../../../features/session/sign-in-url.ts';
import { usePageHead } from '../../../layout/page-head.tsx';
import { useIsHydrated } from '../../../layout/use-is-hydrated.ts';
import { Button } from '../../../ui/button/button.tsx';
import { FormTextField } from '../../../ui/form-fields.tsx';
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx';
import { FormAlert } from '../../sign-in/form-alert.tsx';
import { useLinkToken } from '../../sign-in/link-token.ts';
import plain from '../../sign-in/plain-page.module.css';
import { BackToSignIn } from '../../sign-in/reset/forgot-password.tsx';
import styles from '../../sign-in/reset/reset-page.module.css';
import { NICK_NAME_MAX, nickNameProblem, problemOf } from '../../sign-in/sign-in-fields.ts';
import { SignInPageFrame } from '../../sign-in/sign-in-frame.tsx';
import { LinkNotice } from '../link-notice.tsx';

const PASSWORD_MIN = 10;

/** Target of a mailed link that completes a sign-up. */
export function SignUpPage() {
  const t = useTranslations('signIn');
  const [token, forget] = useLinkToken('sign-up-link');
  const { data: options } = useQuery(queryOptionsOf('readSignInOptions', {}));
  usePageHead({ title: t('sign_up_finish_title') });
  return (
    <SignInPageFrame>
      <h1 className={plain.title}>{t('sign_up_finish_title')}</h1>
      {token === undefined && <Skeleton className={plain.placeholder} />}
      {token === null && (
        <LinkNotice
          text={t('sign_up_link_over')}
          href={signInUrl(BASE_PATH, { signUp: true })}
          label={t('sign_up_again')}
        />
      )}
      {token && <SignUpForm token={token} forget={forget} min={options?.password_min ?? PASSWORD_MIN} />}
    </SignInPageFrame>
  );
}

type Props = { token: string; forget: () => void; min: number };
type Values = { nick_name: string; password: string };

function SignUpForm({ token, forget, min }: Props) {
  const t = useTranslations();
  const isHydrated = useIsHydrated();
  const { control, formState, handleSubmit, setError } = useForm<Values>({
    defaultValues: { nick_name: '', password: '' },
  });
  const limits = { min, max: NICK_NAME_MAX };
  const payloadOf = ({ nick_name, password }: Values) => ({ token, nick_name: nick_name.trim(), password });
  const { mutate, error, isPending, isSuccess } = useOperation('finishSignUp', payloadOf, {
    failsIn: { setError },
    errorMessages: (refused) => {
      const { field, text } = problemOf(refused) ?? {};
      const isHere = field === 'nick_name' || field === 'password';
      return isHere && text ? { at: field, text: t(text, { ...limits, seconds: 0 }) } : undefined;
    },
  });
  const submit = handleSubmit((values) => {
    if (!isPending) mutate(values);
  });
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
      <form className={styles.form} method="post" noValidate onSubmit={(event) => void submit(event)}>
        {formState.errors.root?.message && <FormAlert text={formState.errors.root.message} />}
        <FormTextField
          control={control}
          name="nick_name"
          check={(name) => {
            const problem = nickNameProblem(name);
            return problem && t(problem);
          }}
          label={t('signIn.nick_name')}
          hint={t('signIn.nick_name_hint')}
          autoComplete="nickname"
          maxLength={NICK_NAME_MAX}
          spellCheck={false}
          required
        />
        <NewPasswordField control={control} name="password" min={min} />
        <Button type="submit" variant="primary" size="l" disabled={!isHydrated} busy={isPending}>
          {t('signIn.sign_up_finish')}
        </Button>
      </form>
    </>
  );
}
