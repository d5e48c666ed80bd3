import { useFormatter, useNow, useTranslations } from 'use-intl';
import type { OwnSession } from '../../../../shared/routes/own-session.ts';
import { timeAgo } from '../../../../shared/time-ago.ts';
import { Badge } from '../../../ui/badge/badge.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { FactRow } from '../../../ui/fact-row/fact-row.tsx';
import { MonitorIcon } from '../../../ui/icon/site-icons.tsx';
import { ShortText } from '../../../ui/visually-hidden/short-text.tsx';
import { useSessionName } from './use-session-name.ts';

type SessionRowProps = { session: OwnSession; onSignOut: () => void };

/** One place where the viewer is signed in: with what, how, since when, and when it was last active. */
export function SessionRow({ session, onSignOut }: SessionRowProps) {
  const t = useTranslations('account');
  const format = useFormatter();
  const now = useNow();
  const name = useSessionName()(session);
  const { created_at, last_active_at, is_current, login_label, login_method } = session;
  const { unit, milliseconds } = timeAgo(now.getTime() - Date.parse(last_active_at));
  const begun = format.dateTime(new Date(created_at), { dateStyle: 'medium' });
  const method = (): string => {
    if (login_label !== null) return t('session_by', { name: login_label });
    return t(login_method === 'local' || login_method === 'ldap' ? 'session_by_password' : 'session_by_sso');
  };
  return (
    <FactRow
      icon={<MonitorIcon size={18} />}
      name={name}
      beside={is_current && <Badge tone="positive">{t('session_this')}</Badge>}
      facts={[
        is_current
          ? t('session_active_now')
          : t('session_active', { when: format.relativeTime(now.getTime() - milliseconds, { now, unit }) }),
        t('session_begun', { when: begun }),
        method(),
      ]}
      action={
        !is_current && (
          <Button variant="outline" size="s" onClick={onSignOut}>
            <ShortText full={t('session_out_named', { name })}>{t('session_out')}</ShortText>
          </Button>
        )
      }
    />
  );
}
