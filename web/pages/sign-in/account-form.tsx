import { useMutation } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { useForm } from 'react-hook-form';
import { useLocale, useTranslations } from 'use-intl';
import { FALLBACK_LANGUAGE, LANGUAGES } from '../../../shared/languages.ts';
import type { Challenge } from '../../../shared/routes/sign-in.ts';
import type { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { useFailure } from '../../api/use-failure.ts';
import { useIsHydrated } from '../../layout/use-is-hydrated.ts';
import { Button } from '../../ui/button/button.tsx';
import { FormTextField } from '../../ui/form-fields.tsx';
import { showProblems } from '../../ui/form-problems.ts';
import styles from './account-form.module.css';
import { FormAlert } from './form-alert.tsx';
import { proceedTo } from './proceed-to.ts';
import {
  EMPTY_VALUES,
  type FieldName,
  type FormKind,
  NICK_NAME_MAX,
  problemIn,
  problemOf,
  SIGN_IN_FIELDS,
  type SignInValues,
} from './sign-in-fields.ts';
import type { SignInParameters } from './sign-in-parameters.ts';

type Props = {
  mode: FormKind;
  parameters: SignInParameters;
  passwordMin: number;
  /** The password was correct, and a further step follows. */
  onChallenge: (challenge: Challenge) => void;
  /** The next step is a mail to this address. */
  onMailed: (email: string) => void;
};

const SUBMIT = {
  sign_in: 'signIn.submit',
  sign_up: 'signIn.sign_up_submit',
  sign_up_by_mail: 'signIn.sign_up_send',
} as const;

/** The sign-in or sign-up form; shows errors beside their fields. */
export function AccountForm({ mode, parameters, passwordMin, ...leads }: Props) {
  const t = useTranslations();
  const element = useRef<HTMLFormElement>(null);
  const isHydrated = useIsHydrated();
  const { control, formState, handleSubmit, setError, setFocus, setValue } = useForm<SignInValues>({
    defaultValues: EMPTY_VALUES,
  });
  const { mutate, isPending, isSuccess } = useAttempt(mode, parameters, leads);
  const firstField = SIGN_IN_FIELDS[mode][0]?.name;

  // Input typed or autofilled before hydration.
  useEffect(() => {
    if (!element.current) return;
    for (const [name, value] of new FormData(element.current))
      if (isFieldName(name) && typeof value === 'string' && value !== '') setValue(name, value);
  }, [setValue]);

  useEffect(() => {
    // On touch devices the keyboard would cover the page before it was read.
    const isTyping = element.current?.contains(document.activeElement);
    if (firstField && !isTyping && matchMedia('(pointer: fine)').matches) setFocus(firstField);
  }, [firstField, setFocus]);

  const limits = { min: passwordMin, max: NICK_NAME_MAX };
  const failureOf = useFailure<SignInValues>({
    errorMessages: (error) => {
      const { field, text } = problemOf(error) ?? {};
      const words = text && t(text, { ...limits, seconds: error.retryAfter ?? 0 });
      return field && words ? { at: field, text: words } : words;
    },
  });
  const refuse = (error: ApiError): void => {
    const problems = failureOf(error);
    showProblems(setError, problems);
    if (problems.some(({ field }) => field === 'root')) setFocus('password');
  };
  const submit = handleSubmit((values) => {
    if (!isPending && !isSuccess) mutate(values, { onError: refuse });
  });
  const check =
    (name: FieldName) =>
    (value: string): string | undefined => {
      const problem = problemIn(mode, name, value, passwordMin);
      return problem && t(problem, { ...limits, seconds: 0 });
    };
  const alert = formState.errors.root?.message;

  return (
    <form
      ref={element}
      className={styles.form}
      method="post"
      noValidate
      onSubmit={(event) => void submit(event)}
      onKeyDown={holdComposing}
    >
      {alert && <FormAlert text={alert} />}
      {SIGN_IN_FIELDS[mode].map(({ name, hint, ...field }) => (
        <FormTextField
          key={name}
          {...field}
          control={control}
          name={name}
          check={check(name)}
          label={t(`signIn.${name}`)}
          hint={hint && t(hint, { min: passwordMin })}
          autoCapitalize={name === 'nick_name' ? undefined : 'none'}
          spellCheck={false}
          required
          {...(field.type === 'password' ? { revealLabel: t('signIn.reveal') } : {})}
        />
      ))}
      <Button
        type="submit"
        variant="primary"
        size="l"
        // Before hydration the browser would submit the form itself, to a URL that doesn't handle it.
        disabled={!isHydrated}
        busy={isPending || isSuccess}
        className={styles.submit}
      >
        {t(SUBMIT[mode])}
      </Button>
    </form>
  );
}

/** The Enter that ends an IME composition must not submit the form (R 13.1). */
function holdComposing(event: KeyboardEvent): void {
  if (event.key === 'Enter' && event.nativeEvent.isComposing) event.preventDefault();
}

function isFieldName(name: string): name is FieldName {
  return Object.hasOwn(EMPTY_VALUES, name);
}

/** Submits the form and navigates to the return URL, unless a further step or a mail follows. */
function useAttempt(
  mode: FormKind,
  parameters: SignInParameters,
  {
    onChallenge,
    onMailed,
  }: { onChallenge: (challenge: Challenge) => void; onMailed: (email: string) => void },
) {
  const locale = useLocale();
  const language = LANGUAGES.find((known) => known === locale) ?? FALLBACK_LANGUAGE;
  return useMutation({
    mutationFn: async ({ account, email, nick_name, password }: SignInValues) => {
      if (mode === 'sign_in') return call('signIn', { ...parameters, account: account.trim(), password });
      const asking = { ...parameters, email: email.trim() };
      const person = { nick_name: nick_name.trim(), password };
      const sent = mode === 'sign_up' ? { ...asking, ...person } : { ...asking, language };
      return { ...(await call('signUp', sent)), challenge: null };
    },
    onSuccess: ({ continue_to, challenge }, { email }) => {
      if (challenge) onChallenge(challenge);
      else if (continue_to !== null) proceedTo(continue_to, parameters);
      else onMailed(email.trim());
    },
  });
}
