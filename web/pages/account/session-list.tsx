import { useQueryClient } from '@tanstack/react-query';
import MonitorIcon from 'lucide-react/icons/monitor';
import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import type { OwnSession } from '../../../shared/routes/own-session.ts';
import { isApiError } from '../../api/api-error.ts';
import { call, type DataFor } from '../../api/client.ts';
import { queryKeyOf } from '../../api/queries.ts';
import { putNewerData } from '../../api/query-client.ts';
import { useOperation, useOperationBy } from '../../api/use-operation.ts';
import { Badge } from '../../ui/badge/badge.tsx';
import { Button } from '../../ui/button/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog/confirm-dialog.tsx';
import { FactRow } from '../../ui/fact-row/fact-row.tsx';
import { FramedRows } from '../../ui/framed-rows/framed-rows.tsx';
import { useTimeAgo } from '../../ui/use-time-ago.ts';
import { ShortText } from '../../ui/visually-hidden/short-text.tsx';
import styles from './sessions.module.css';

/** The viewer's sessions, the current one first; the others can be signed out, one by one or all at once. */
export function SessionList({ sessions }: { sessions: readonly OwnSession[] }) {
  const t = useTranslations('account');
  const nameOf = useSessionName();
  const signOutOne = useSignOutSession();
  const signOutOthers = useSignOutOthers();
  const [target, setTarget] = useState<OwnSession | 'others'>('others');
  const [isOpen, setOpen] = useState(false);
  const ordered = [...sessions].sort((a, b) => Number(b.is_current) - Number(a.is_current));
  const ask = (about: OwnSession | 'others'): void => {
    signOutOne.reset();
    signOutOthers.reset();
    setTarget(about);
    setOpen(true);
  };
  const close = (): void => setOpen(false);
  const confirm = (): void => {
    if (target === 'others') signOutOthers.mutate(undefined, { onSuccess: close });
    else signOutOne.mutate(target.sid, { onSuccess: close });
  };
  const isAllOthers = target === 'others';
  return (
    <>
      <FramedRows>
        {ordered.map((session) => (
          <SessionRow key={session.sid} session={session} onSignOut={() => ask(session)} />
        ))}
      </FramedRows>
      {sessions.length > 1 && (
        <Button variant="outline" className={styles.others} onClick={() => ask('others')}>
          {t('session_others')}
        </Button>
      )}
      <ConfirmDialog
        open={isOpen}
        title={
          target === 'others' ? t('session_others_title') : t('session_out_title', { name: nameOf(target) })
        }
        confirmLabel={t(isAllOthers ? 'session_others' : 'session_out')}
        tone="danger"
        busy={signOutOne.isPending || signOutOthers.isPending}
        error={signOutOne.isError ? t('session_failed') : signOutOthers.failure}
        onConfirm={confirm}
        onClose={close}
      >
        <p>{t(isAllOthers ? 'session_others_text' : 'session_out_text')}</p>
      </ConfirmDialog>
    </>
  );
}

const KEY = queryKeyOf('listOwnSessions', {});

/** Signs out one of the viewer's devices; one that is already signed out counts as success. */
function useSignOutSession() {
  const t = useTranslations('account');
  const client = useQueryClient();
  const send = async (sid: string): Promise<void> => {
    try {
      await call('endOwnSession', { sid });
    } catch (error) {
      if (!isApiError(error) || error.status !== 404) throw error;
    }
  };
  return useOperationBy('endOwnSession', send, {
    done: t('session_out_done'),
    onSuccess: (_nothing, sid) =>
      putNewerData<DataFor<'listOwnSessions'>>(
        client,
        KEY,
        (data) => data && { session_list: data.session_list.filter((session) => session.sid !== sid) },
      ),
  });
}

function useSignOutOthers() {
  const t = useTranslations('account');
  return useOperation('endOtherSessions', () => ({}), {
    done: ({ ended }) => t('session_others_done', { count: ended }),
    failed: t('session_failed'),
  });
}

type SessionRowProps = { session: OwnSession; onSignOut: () => void };

/** One session: device, sign-in method, start, and last activity. */
function SessionRow({ session, onSignOut }: SessionRowProps) {
  const t = useTranslations('account');
  const format = useFormatter();
  const ago = useTimeAgo();
  const name = useSessionName()(session);
  const { created_at, last_active_at, is_current, is_in_tool, login_label, login_method } = session;
  const startedText = format.dateTime(new Date(created_at), { dateStyle: 'medium' });
  const method = (): string => {
    if (login_label !== null) return t('session_by', { name: login_label });
    return t(login_method === 'local' || login_method === 'ldap' ? 'session_by_password' : 'session_by_sso');
  };
  return (
    <FactRow
      icon={<MonitorIcon size={18} />}
      name={name}
      beside={
        <>
          {is_current && <Badge tone="positive">{t('session_this')}</Badge>}
          {is_in_tool && <Badge>{t('session_in_tool')}</Badge>}
        </>
      }
      facts={[
        is_current ? t('session_active_now') : t('session_active', { when: ago(last_active_at) }),
        t('session_begun', { when: startedText }),
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

/** A session's browser and system, if known. */
function useSessionName(): (session: OwnSession) => string {
  const t = useTranslations('account');
  return ({ browser, system }) =>
    [browser, system].filter((word) => word !== '').join(' · ') || t('session_unknown');
}
