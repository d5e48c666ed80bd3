import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Challenge } from '../../../shared/routes/sign-in.ts';
import type { ApiError } from '../../api/api-error.ts';
import { errorText } from '../../api/error-text.ts';
import { useCameToLife } from '../../layout/use-came-to-life.ts';
import { Button } from '../../ui/button/button.tsx';
import { TextField } from '../../ui/text-field/text-field.tsx';
import styles from './account-form.module.css';
import { FormAlert } from './form-alert.tsx';
import { type FieldName, type FormKind, problemsOf, SIGN_IN_FIELDS } from './sign-in-fields.ts';
import type { SignInParameters } from './sign-in-parameters.ts';
import { problemOf, type SignInProblem } from './sign-in-problem.ts';
import { useAttempt } from './use-attempt.ts';
import { useTypedValues } from './use-typed-values.ts';

type Props = {
  mode: FormKind;
  parameters: SignInParameters;
  passwordMin: number;
  /** The password was right, and something else is wanted. */
  onChallenge: (challenge: Challenge) => void;
  /** A mail to this address leads on. */
  onMailed: (email: string) => void;
};

const SUBMIT = {
  sign_in: 'signIn.submit',
  sign_up: 'signIn.sign_up_submit',
  sign_up_by_mail: 'signIn.sign_up_send',
} as const;

/** The form to sign in or up with: says what is wrong beside the field that it is about. */
export function AccountForm({ mode, parameters, passwordMin, ...leads }: Props) {
  const t = useTranslations();
  const form = useRef<HTMLFormElement>(null);
  const [values, setValue] = useTypedValues(form);
  const isAlive = useCameToLife();
  const [wrong, setWrong] = useState<SignInProblem[]>([]);
  const { mutate, reset, error, isPending, isSuccess } = useAttempt(mode, parameters, leads);
  const refused = error ? problemOf(error) : undefined;
  const problems = refused ? [refused] : wrong;
  const firstField = SIGN_IN_FIELDS[mode][0]?.name;

  useEffect(() => {
    // On a touch screen the keyboard would cover the page before it was read.
    const isTyping = form.current?.contains(document.activeElement);
    if (!isTyping && matchMedia('(pointer: fine)').matches) focusField(form.current, firstField);
  }, [firstField]);

  const say = (problem: SignInProblem | undefined): string | undefined =>
    problem && t(problem.text, { min: passwordMin, seconds: error?.retryAfter ?? 0 });
  const change = (name: FieldName, value: string): void => {
    setValue(name, value);
    setWrong(wrong.filter(({ field }) => field !== name));
    if (error) reset();
  };
  const focusRefused = (refusal: ApiError): void =>
    focusField(form.current, problemOf(refusal)?.field ?? 'password');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isPending || isSuccess) return;
    const found = problemsOf(mode, values, passwordMin);
    setWrong(found);
    if (found[0]) focusField(form.current, found[0].field);
    else mutate(values, { onError: focusRefused });
  };
  const alert =
    say(problems.find(({ field }) => !field)) ?? (error && !refused && t(`error.${errorText(error)}`));

  return (
    <form
      ref={form}
      className={styles.form}
      method="post"
      noValidate
      onSubmit={submit}
      onKeyDown={holdComposing}
    >
      {alert && <FormAlert text={alert} />}
      {SIGN_IN_FIELDS[mode].map(({ name, hint, ...field }) => (
        <TextField
          key={name}
          {...field}
          name={name}
          label={t(`signIn.${name}`)}
          value={values[name]}
          onValueChange={(value) => change(name, value)}
          error={say(problems.find((problem) => problem.field === name))}
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
        // Until then the browser itself would send the form, and nobody would answer.
        disabled={!isAlive}
        busy={isPending || isSuccess}
        className={styles.submit}
      >
        {t(SUBMIT[mode])}
      </Button>
    </form>
  );
}

/** The Enter that ends the composition of a character must not send the form (specification section 5). */
function holdComposing(event: KeyboardEvent): void {
  if (event.key === 'Enter' && event.nativeEvent.isComposing) event.preventDefault();
}

function focusField(form: HTMLFormElement | null, name: FieldName | undefined): void {
  const field = name && form?.elements.namedItem(name);
  if (field instanceof HTMLElement) field.focus();
}
