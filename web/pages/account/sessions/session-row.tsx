import { useFormatter, useNow, useTranslations } from 'use-intl';
import type { OwnSession } from '../../../../shared/routes/own-session.ts';
import { timeAgo } from '../../../../shared/time-ago.ts';
import { Badge } from '../../../ui/badge/badge.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { MonitorIcon } from '../../../ui/icon/site-icons.tsx';
import { VisuallyHidden } from '../../../ui/visually-hidden/visually-hidden.tsx';
import styles from './sessions.module.css';
import { useSessionName } from './use-session-name.ts';

type SessionRowProps = { session: OwnSession; onSignOut: () => void };

/** One place where the viewer is signed in: with what, how, since when, and when it was last active. */
export function SessionRow({ session, onSignOut }: SessionRowProps) {
  const t = useTranslations('account');
  const format = useFormatter();
  const now = useNow();
  const name = useSessionName()(session);
  const { created_at, last_active_at, is_current } = session;
  const { unit, milliseconds } = timeAgo(now.getTime() - Date.parse(last_active_at));
  const begun = format.dateTime(new Date(created_at), { dateStyle: 'medium' });
  return (
    <li className={styles.row}>
      <span className={styles.sign}>
        <MonitorIcon size={18} />
      </span>
      <div className={styles.facts}>
        <div className={styles.line}>
          <h3 className={styles.name}>{name}</h3>
          {is_current && <Badge tone="positive">{t('session_this')}</Badge>}
        </div>
        <p className={styles.meta}>
          <span>
            {is_current
              ? t('session_active_now')
              : t('session_active', {
                  when: format.relativeTime(now.getTime() - milliseconds, { now, unit }),
                })}
          </span>
          <span>{t('session_begun', { when: begun })}</span>
          <span>
            <Method session={session} />
          </span>
        </p>
      </div>
      {!is_current && (
        <Button variant="outline" size="s" onClick={onSignOut}>
          {t('session_out')}
          <VisuallyHidden> {name}</VisuallyHidden>
        </Button>
      )}
    </li>
  );
}

function Method({ session: { login_label, login_method } }: { session: OwnSession }) {
  const t = useTranslations('account');
  if (login_label !== null) return t('session_by', { name: login_label });
  return t(login_method === 'local' || login_method === 'ldap' ? 'session_by_password' : 'session_by_sso');
}
