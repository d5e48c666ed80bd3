import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import type { Member } from '../../../../shared/entities/backstage.ts';
import { call } from '../../../api/client.ts';
import { Button } from '../../../ui/button/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog/confirm-dialog.tsx';
import { CopyButton } from '../../../ui/copy/copy-button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import styles from './password-link.module.css';

/** Makes a link by which a member sets a new password, and shows it this once. */
export function PasswordLink({ member: { user_id, nick_name, email } }: { member: Member }) {
  const t = useTranslations('members');
  const format = useFormatter();
  const queryClient = useQueryClient();
  const [isAsked, setAsked] = useState(false);
  const { mutate, reset, data, error, isPending } = useMutation({
    mutationFn: () => call('makePasswordLink', { user_id }),
    // Nothing keeps the link once the dialog is closed.
    gcTime: 0,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['listMemberChanges'] }),
  });
  const name = nick_name || email;
  const close = (): void => {
    setAsked(false);
    reset();
  };
  const problem = error && t(error.reason === 'PASSWORD_ELSEWHERE' ? 'password_elsewhere' : 'change_failed');
  return (
    <>
      <Button size="s" onClick={() => setAsked(true)}>
        {t('password_link')}
      </Button>
      <ConfirmDialog
        open={isAsked && !data}
        title={t('password_link_title', { name })}
        confirmLabel={t('password_link_make')}
        cancelLabel={t('cancel')}
        busy={isPending}
        error={problem ?? undefined}
        onConfirm={() => mutate()}
        onClose={close}
      >
        {t('password_link_text')}
      </ConfirmDialog>
      <Dialog
        open={isAsked && data !== undefined}
        onClose={close}
        title={t('password_link')}
        closeLabel={t('password_link_close')}
      >
        {data && (
          <div className={styles.made}>
            <p>{t('password_link_made', { name })}</p>
            <code className={styles.link}>{data.link}</code>
            <p className={styles.until}>
              {t('password_link_until', {
                time: format.dateTime(new Date(data.expires_at), { dateStyle: 'medium', timeStyle: 'short' }),
              })}
            </p>
            <div className={styles.actions}>
              <CopyButton
                text={() => data.link}
                size="m"
                labels={{
                  idle: t('password_link_copy'),
                  copied: t('password_link_copied'),
                  failed: t('password_link_copy_failed'),
                }}
              />
              <Button variant="primary" onClick={close}>
                {t('password_link_close')}
              </Button>
            </div>
          </div>
        )}
      </Dialog>
    </>
  );
}
