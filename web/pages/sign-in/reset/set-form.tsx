import MonitorIcon from 'lucide-react/icons/monitor';
import { type FormEvent, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useFormatter, useTranslations } from 'use-intl';
import type { DataFor } from '../../../api/client.ts';
import { useOperation } from '../../../api/use-operation.ts';
import { NewPasswordField } from '../../../features/password/new-password-field.tsx';
import { weaknessText } from '../../../features/password/weakness-text.ts';
import { CodeField, useCode } from '../../../features/second-factor/code-field.tsx';
import { useIsHydrated } from '../../../layout/use-is-hydrated.ts';
import { Button } from '../../../ui/button/button.tsx';
import { FactRow } from '../../../ui/fact-row/fact-row.tsx';
import { FramedRows } from '../../../ui/framed-rows/framed-rows.tsx';
import { useTimeAgo } from '../../../ui/use-time-ago.ts';
import { FormAlert } from '../form-alert.tsx';
import plain from '../plain-page.module.css';
import { BackToSignIn } from './forgot-password.tsx';
import styles from './reset-page.module.css';

type Props = { token: string; forget: () => void; min: number };
type Values = { password: string };

/** The new password, for a single-use link. */
export function SetForm({ token, forget, min }: Props) {
  const t = useTranslations();
  const isHydrated = useIsHydrated();
  const { control, formState, handleSubmit, setError } = useForm<Values>({ defaultValues: { password: '' } });
  const payloadOf = ({ password }: Values) => ({ token, password });
  const { mutate, error, isPending, data } = useOperation('finishPasswordReset', payloadOf, {
    gcTime: 0,
    failsIn: { setError },
    errorMessages: (refused) => {
      const weakness = weaknessText(refused);
      if (weakness) return { at: 'password', text: t(weakness, { min }) };
      return refused.reason === 'ACCOUNT_DISABLED' ? t('signIn.account_disabled') : undefined;
    },
  });
  const submit = handleSubmit((values) => {
    if (!isPending) mutate(values);
  });
  if (data) return <ResetDone result={data} />;
  if (error?.reason === 'PASSWORD_LINK_INVALID') return <LinkOver onRetry={forget} />;
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

/** The link is invalid, with a way to request another. */
function LinkOver({ onRetry }: { onRetry: () => void }) {
  const t = useTranslations('signIn');
  return (
    <div className={styles.form}>
      <FormAlert text={t('reset_link_over')} />
      <Button variant="primary" size="l" onClick={onRetry}>
        {t('reset_forgot')}
      </Button>
    </div>
  );
}

type ResetResult = DataFor<'finishPasswordReset'>;

/** The new password is set: signed-out sessions, and the second factor that is still on. */
function ResetDone({ result: { ended_sessions: ended, second_factor: factor } }: { result: ResetResult }) {
  const t = useTranslations('signIn');
  const format = useFormatter();
  const ago = useTimeAgo();
  return (
    <>
      <p className={plain.done} role="status">
        {t('reset_done')}
      </p>
      <section className={styles.section}>
        <h2 className={styles.title}>{t('reset_ended', { count: ended.length })}</h2>
        {ended.length > 0 && (
          <FramedRows>
            {ended.map(({ sid, browser, system, created_at, last_active_at }) => (
              <FactRow
                key={sid}
                icon={<MonitorIcon size={18} />}
                name={[browser, system].filter((word) => word !== '').join(' · ') || t('reset_unknown')}
                facts={[
                  t('reset_active', { when: ago(last_active_at) }),
                  t('reset_begun', { when: format.dateTime(new Date(created_at), { dateStyle: 'medium' }) }),
                ]}
              />
            ))}
          </FramedRows>
        )}
      </section>
      {factor && <RemainingSecondFactor factor={factor} />}
      <BackToSignIn primary />
    </>
  );
}

type Factor = NonNullable<DataFor<'finishPasswordReset'>['second_factor']>;

/** The remaining second factor: since when, and how to remove it. */
function RemainingSecondFactor({ factor }: { factor: Factor }) {
  const t = useTranslations('signIn');
  const format = useFormatter();
  const [isOpen, setIsOpen] = useState(false);
  const remove = useRemoveSecondFactor(factor.token);
  const code = useCode('either', remove);
  const isExpired = remove.error?.reason === 'PASSWORD_LINK_INVALID';
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!remove.isPending && code.check()) remove.mutate(code.value);
  };
  if (remove.isSuccess)
    return (
      <p className={plain.done} role="status">
        {t('reset_factor_removed')}
      </p>
    );
  const when = format.dateTime(new Date(factor.since), { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <section className={styles.section}>
      <h2 className={styles.title}>{t('reset_factor_title')}</h2>
      <p className={styles.text}>{t('reset_factor_text', { when })}</p>
      {factor.is_required && <p className={styles.text}>{t('reset_factor_required')}</p>}
      {!factor.is_required && !isOpen && (
        <Button variant="outline" size="l" onClick={() => setIsOpen(true)}>
          {t('reset_factor_remove')}
        </Button>
      )}
      {isOpen && (
        <form className={styles.nextForm} method="post" noValidate onSubmit={submit}>
          {code.failure && <FormAlert text={isExpired ? t('reset_factor_over') : code.failure} />}
          <CodeField kind="either" value={code.value} onValueChange={code.change} error={code.wrong} />
          <Button type="submit" variant="outline" size="l" busy={remove.isPending} disabled={isExpired}>
            {t('reset_factor_remove')}
          </Button>
        </form>
      )}
    </section>
  );
}

function useRemoveSecondFactor(token: string) {
  return useOperation('removeSecondFactorAfterReset', (code: string) => ({ token, code: code.trim() }));
}
