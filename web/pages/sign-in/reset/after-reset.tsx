import { useFormatter, useNow, useTranslations } from 'use-intl';
import { timeAgo } from '../../../../shared/time-ago.ts';
import type { DataFor } from '../../../api/client.ts';
import { FactRow } from '../../../ui/fact-row/fact-row.tsx';
import { FramedRows } from '../../../ui/framed-rows/framed-rows.tsx';
import { MonitorIcon } from '../../../ui/icon/site-icons.tsx';
import plain from '../plain-page.module.css';
import styles from './after-reset.module.css';
import { BackToSignIn } from './back-to-sign-in.tsx';
import { LeftSecondFactor } from './left-second-factor.tsx';

type Told = DataFor<'finishPasswordReset'>;

/** The new password is set: where the account was signed in until now, and the second factor that it still has. */
export function AfterReset({ told: { ended_sessions: ended, second_factor: factor } }: { told: Told }) {
  const t = useTranslations('signIn');
  const format = useFormatter();
  const now = useNow();
  const activeAt = (time: string): string => {
    const { unit, milliseconds } = timeAgo(now.getTime() - Date.parse(time));
    return t('reset_active', { when: format.relativeTime(now.getTime() - milliseconds, { now, unit }) });
  };
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
                  activeAt(last_active_at),
                  t('reset_begun', { when: format.dateTime(new Date(created_at), { dateStyle: 'medium' }) }),
                ]}
              />
            ))}
          </FramedRows>
        )}
      </section>
      {factor && <LeftSecondFactor factor={factor} />}
      <BackToSignIn primary />
    </>
  );
}
