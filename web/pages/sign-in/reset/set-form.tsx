import { useMutation } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import type { ApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { errorText } from '../../../api/error-text.ts';
import { NewPasswordField } from '../../../features/password/new-password-field.tsx';
import { weaknessText } from '../../../features/password/weakness-text.ts';
import { useIsHydrated } from '../../../layout/use-is-hydrated.ts';
import { Button } from '../../../ui/button/button.tsx';
import { type FormProblem, showProblems } from '../../../ui/form-problems.ts';
import { FormAlert } from '../form-alert.tsx';
import plain from '../plain-page.module.css';
import { AfterReset } from './after-reset.tsx';
import { LinkOver } from './link-over.tsx';
import styles from './reset-page.module.css';

type Props = { token: string; forget: () => void; min: number };
type Values = { password: string };

/** The new password, by a link that is good once. */
export function SetForm({ token, forget, min }: Props) {
  const t = useTranslations();
  const isHydrated = useIsHydrated();
  const { control, formState, handleSubmit, setError } = useForm<Values>({ defaultValues: { password: '' } });
  const problemOf = (error: ApiError): FormProblem<Values> => {
    const weakness = weaknessText(error);
    if (weakness) return { field: 'password', text: t(weakness, { min }) };
    const isDisabled = error.reason === 'ACCOUNT_DISABLED';
    return { field: 'root', text: t(isDisabled ? 'signIn.account_disabled' : `error.${errorText(error)}`) };
  };
  const { mutate, error, isPending, data } = useMutation({
    gcTime: 0,
    mutationFn: ({ password }: Values) => call('finishPasswordReset', { token, password }),
    onError: (refusal) => showProblems(setError, [problemOf(refusal)]),
  });
  const submit = handleSubmit((values) => {
    if (!isPending) mutate(values);
  });
  if (data) return <AfterReset told={data} />;
  if (error?.reason === 'PASSWORD_LINK_INVALID') return <LinkOver onAgain={forget} />;
  return (
    <>
      <p className={plain.text}>{t('signIn.reset_set_text')}</p>
      <form className={styles.form} method="post" noValidate onSubmit={(event) => void submit(event)}>
        {formState.errors.root?.message && <FormAlert text={formState.errors.root.message} />}
        <NewPasswordField control={control} name="password" min={min} />
        <Button type="submit" variant="primary" size="l" disabled={!isHydrated} busy={isPending}>
          {t('signIn.reset_set')}
        </Button>
      </form>
    </>
  );
}
