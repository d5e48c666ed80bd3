import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { errorText } from '../../../api/error-text.ts';
import { RecoveryCodes, SetupKey } from '../../../features/second-factor/enrolment.tsx';
import { FormAlert } from '../form-alert.tsx';
import pageStyles from '../sign-in-page.module.css';
import { CodeForm, type StepProps, useFinishEnrolment, useVerifyCode } from './second-factor-step.tsx';

/**
 * Sets up a second factor where the deployment requires one, and shows its recovery codes. `children` are alternatives.
 */
export function EnrolStep({
  challenge: { token, set_up },
  children,
  ...handlers
}: StepProps & { children: ReactNode }) {
  const t = useTranslations();
  const verify = useVerifyCode({ token, ...handlers });
  const finish = useFinishEnrolment({ token, ...handlers });
  if (verify.data)
    return (
      <>
        {finish.error && <FormAlert text={t(`error.${errorText(finish.error)}`)} />}
        <RecoveryCodes
          codes={verify.data.recovery_codes}
          doneLabel={t('signIn.second_factor_continue')}
          busy={finish.isPending || finish.isSuccess}
          onDone={() => finish.mutate()}
        />
      </>
    );
  return (
    <>
      <p className={pageStyles.other}>{t('signIn.second_factor_enrol_text')}</p>
      <CodeForm kind="app" attempt={verify} onCode={(code) => verify.mutate(code)}>
        {set_up && <SetupKey setUp={set_up} />}
      </CodeForm>
      {children}
    </>
  );
}
