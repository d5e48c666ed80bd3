import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Challenge } from '../../../../shared/routes/sign-in.ts';
import type { ApiError } from '../../../api/api-error.ts';
import { useOperation } from '../../../api/use-operation.ts';
import { CodeField, type CodeKind, useCode } from '../../../features/second-factor/code-field.tsx';
import { Lazy } from '../../../loading/lazy.tsx';
import { lazyWithRetry } from '../../../loading/lazy-with-retry.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Spinner } from '../../../ui/spinner/spinner.tsx';
import { VisuallyHidden } from '../../../ui/visually-hidden/visually-hidden.tsx';
import formStyles from '../account-form.module.css';
import { FormAlert } from '../form-alert.tsx';
import { proceedTo } from '../proceed-to.ts';
import pageStyles from '../sign-in-page.module.css';
import type { SignInParameters } from '../sign-in-parameters.ts';

/** Loaded on demand: few users set one up here, and the QR code needs a library. */
const enrolStep = lazyWithRetry(async () => (await import('./enrol-step.tsx')).EnrolStep);

/** The step after the password. */
export function SecondFactorStep(step: StepProps) {
  const t = useTranslations('signIn');
  const { challenge, parameters, onRestart } = step;
  const title = t('second_factor_title');
  const back = (
    <Button variant="quiet" onClick={() => onRestart()}>
      {t('second_factor_back')}
    </Button>
  );
  return (
    <>
      <h1 className={pageStyles.title}>
        {parameters.ux_mode === 'auth' ? <VisuallyHidden>{title}</VisuallyHidden> : title}
      </h1>
      {challenge.kind === 'code' ? (
        <CodeStep {...step}>{back}</CodeStep>
      ) : (
        <Lazy part={enrolStep} fallback={<Spinner />}>
          {(EnrolStep) => (
            <EnrolStep {...step}>
              <div className={formStyles.more}>{back}</div>
            </EnrolStep>
          )}
        </Lazy>
      )}
    </>
  );
}

export type StepProps = {
  challenge: Challenge;
  parameters: SignInParameters;
  /** The sign-in must start over, with a reason or by the user's choice. */
  onRestart: (why?: RestartReason) => void;
};

/** Asks for a code of the app or a recovery code. `children` are alternatives. */
function CodeStep({ challenge: { token }, children, ...handlers }: StepProps & { children: ReactNode }) {
  const t = useTranslations('signIn');
  const [kind, setKind] = useState<'app' | 'recovery'>('app');
  const verify = useVerifyCode({ token, ...handlers });
  const isApp = kind === 'app';
  const change = (): void => {
    setKind(isApp ? 'recovery' : 'app');
    verify.reset();
  };
  return (
    <>
      <p className={pageStyles.other}>{t(isApp ? 'second_factor_text' : 'second_factor_recovery_text')}</p>
      <CodeForm key={kind} kind={kind} attempt={verify} onCode={(code) => verify.mutate(code)} />
      <div className={formStyles.more}>
        <Button variant="quiet" onClick={change} disabled={verify.isPending || verify.isSuccess}>
          {t(isApp ? 'second_factor_to_recovery' : 'second_factor_to_app')}
        </Button>
        {children}
      </div>
    </>
  );
}

type CodeFormProps = {
  kind: CodeKind;
  attempt: { error: ApiError | null; reset: () => void; isPending: boolean; isSuccess: boolean };
  onCode: (code: string) => void;
  /** Above the field. */
  children?: ReactNode;
};

/** The code field of a pending sign-in and its button. */
export function CodeForm({ kind, attempt, onCode, children }: CodeFormProps) {
  const t = useTranslations('signIn');
  const form = useRef<HTMLFormElement>(null);
  const code = useCode(kind, attempt);
  const isBusy = attempt.isPending || attempt.isSuccess;
  useEffect(() => focusInput(form.current), []);
  useEffect(() => {
    if (attempt.error) focusInput(form.current);
  }, [attempt.error]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isBusy) return;
    if (code.check()) onCode(code.value);
    else focusInput(form.current);
  };
  return (
    <form ref={form} className={formStyles.form} method="post" noValidate onSubmit={submit}>
      {code.failure && <FormAlert text={code.failure} />}
      {children}
      <CodeField kind={kind} value={code.value} onValueChange={code.change} error={code.wrong} />
      <Button type="submit" variant="primary" size="l" busy={isBusy} className={formStyles.submit}>
        {t('second_factor_submit')}
      </Button>
    </form>
  );
}

function focusInput(form: HTMLFormElement | null): void {
  form?.querySelector('input')?.focus();
}

type Options = {
  /** Id of the pending sign-in. */
  token: string;
  parameters: SignInParameters;
  onRestart: (why?: RestartReason) => void;
};

/** Sends the code and navigates to the return URL, unless recovery codes must be saved first. */
export function useVerifyCode({ token, parameters, onRestart }: Options) {
  const { redirect_uri } = parameters;
  return useOperation('passSecondFactor', (code: string) => ({ challenge: token, redirect_uri, code }), {
    gcTime: 0,
    onSuccess: ({ continue_to }) => proceedTo(continue_to, parameters),
    onError: (error) => reportRestart(error, onRestart),
  });
}

/** Continues once the recovery codes have been saved. */
export function useFinishEnrolment({ token, parameters, onRestart }: Options) {
  const { redirect_uri } = parameters;
  return useOperation('finishEnrolment', () => ({ challenge: token, redirect_uri }), {
    onSuccess: ({ continue_to }) => proceedTo(continue_to, parameters),
    onError: (error) => reportRestart(error, onRestart),
  });
}

function reportRestart(error: Parameters<typeof restartReasonOf>[0], onRestart: Options['onRestart']): void {
  const why = restartReasonOf(error);
  if (why) onRestart(why);
}

/** A text of the namespace `signIn`: why the sign-in must start over. */
export type RestartReason = 'second_factor_expired' | 'second_factor_spent' | 'account_disabled';

/** Undefined when the sign-in can continue. */
function restartReasonOf({ reason }: Pick<ApiError, 'reason'>): RestartReason | undefined {
  if (reason === 'CHALLENGE_INVALID') return 'second_factor_expired';
  if (reason === 'CHALLENGE_SPENT') return 'second_factor_spent';
  return reason === 'ACCOUNT_DISABLED' ? 'account_disabled' : undefined;
}
