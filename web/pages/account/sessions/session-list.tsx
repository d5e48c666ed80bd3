import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { OwnSession } from '../../../../shared/routes/own-session.ts';
import { Button } from '../../../ui/button/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog/confirm-dialog.tsx';
import { FramedRows } from '../../../ui/framed-rows/framed-rows.tsx';
import { useToast } from '../../../ui/toast/toast-context.ts';
import { SessionRow } from './session-row.tsx';
import styles from './sessions.module.css';
import { useEndOthers, useEndSession } from './use-end-sessions.ts';
import { useSessionName } from './use-session-name.ts';

/** The viewer's sessions, this one first; the others can be signed out, one by one or all at once. */
export function SessionList({ sessions }: { sessions: readonly OwnSession[] }) {
  const t = useTranslations('account');
  const toast = useToast();
  const nameOf = useSessionName();
  const endOne = useEndSession();
  const endOthers = useEndOthers();
  const [asked, setAsked] = useState<OwnSession | 'others'>('others');
  const [isOpen, setOpen] = useState(false);
  const ordered = [...sessions].sort((a, b) => Number(b.is_current) - Number(a.is_current));
  const ask = (about: OwnSession | 'others'): void => {
    endOne.reset();
    endOthers.reset();
    setAsked(about);
    setOpen(true);
  };
  const done = (text: string): void => {
    toast({ kind: 'success', text });
    setOpen(false);
  };
  const confirm = (): void => {
    if (asked === 'others')
      endOthers.mutate(undefined, {
        onSuccess: ({ ended }) => done(t('session_others_done', { count: ended })),
      });
    else endOne.mutate(asked.sid, { onSuccess: () => done(t('session_out_done')) });
  };
  const isOthers = asked === 'others';
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
          asked === 'others' ? t('session_others_title') : t('session_out_title', { name: nameOf(asked) })
        }
        confirmLabel={t(isOthers ? 'session_others' : 'session_out')}
        cancelLabel={t('session_cancel')}
        tone="danger"
        busy={endOne.isPending || endOthers.isPending}
        error={endOne.isError || endOthers.isError ? t('session_failed') : undefined}
        onConfirm={confirm}
        onClose={() => setOpen(false)}
      >
        <p>{t(isOthers ? 'session_others_text' : 'session_out_text')}</p>
      </ConfirmDialog>
    </>
  );
}
