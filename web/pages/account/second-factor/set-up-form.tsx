import { type FormEvent, useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import type { DataFor } from '../../../api/client.ts';
import { CodeField, useCode } from '../../../features/second-factor/code-field.tsx';
import { RecoveryCodes, SetupKey } from '../../../features/second-factor/enrolment.tsx';
import { Button } from '../../../ui/button/button.tsx';
import styles from './second-factor-section.module.css';
import { useConfirm, useRefreshState } from './use-own-second-factor.ts';

type SetUpFormProps = { setUp: DataFor<'beginSecondFactor'>; onCancel: () => void };

/** The secret for the app, the code that confirms it, and then the recovery codes. */
export function SetUpForm({ setUp, onCancel }: SetUpFormProps) {
  const t = useTranslations('account');
  const common = useTranslations('common');
  const form = useRef<HTMLFormElement>(null);
  const confirm = useConfirm();
  const code = useCode('app', confirm);
  const refreshState = useRefreshState();
  const isExpired = confirm.error?.reason === 'CHALLENGE_INVALID';
  useEffect(() => focusInput(form.current), []);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (confirm.isPending) return;
    if (code.check()) confirm.mutate(code.value);
    else focusInput(form.current);
  };
  if (confirm.data) {
    const { recovery_codes: codes } = confirm.data;
    return <RecoveryCodes codes={codes} doneLabel={t('second_factor_done')} onDone={refreshState} />;
  }
  return (
    <form ref={form} className={styles.panel} method="post" noValidate onSubmit={submit}>
      <SetupKey setUp={setUp} />
      <div className={styles.field}>
        <CodeField kind="app" value={code.value} onValueChange={code.change} error={code.wrong} />
      </div>
      {code.failure && (
        <p className={styles.problem} role="alert">
          {isExpired ? t('second_factor_expired') : code.failure}
        </p>
      )}
      <div className={styles.actions}>
        <Button type="submit" variant="primary" busy={confirm.isPending} disabled={isExpired}>
          {t('second_factor_confirm')}
        </Button>
        <Button variant="outline" onClick={onCancel}>
          {common('cancel')}
        </Button>
      </div>
    </form>
  );
}

function focusInput(form: HTMLFormElement | null): void {
  form?.querySelector('input')?.focus();
}
