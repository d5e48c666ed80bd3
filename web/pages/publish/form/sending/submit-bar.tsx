import CheckIcon from 'lucide-react/icons/check';
import SendIcon from 'lucide-react/icons/send';
import { useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { ActionBar } from '../../../../ui/action-bar/action-bar.tsx';
import { Button } from '../../../../ui/button/button.tsx';
import { Progress } from '../../../../ui/progress/progress.tsx';
import { useFormatBytes } from '../../use-format-bytes.ts';
import { useForm } from '../use-form.ts';
import { SendingAlert } from './form-notes.tsx';
import styles from './submit-bar.module.css';

type SubmitBarProps = {
  /** A stored draft has the unsent input, so that it survives a reload. */
  isSaved: boolean;
  onCancel: () => void;
};

/** The end of the form: submit button, and progress while sending. */
export function SubmitBar({ isSaved, onCancel }: SubmitBarProps) {
  const t = useTranslations('publish');
  const common = useTranslations('common');
  const bytes = useFormatBytes();
  const { plugin, sending } = useForm().state;
  const button = useRef<HTMLButtonElement>(null);
  const { state } = sending;
  // The pressed button is removed: the one that replaces it takes over focus.
  useEffect(() => {
    if (state === 'sending' || state === 'cancelled') button.current?.focus();
  }, [state]);
  if (sending.state === 'sending') {
    const { sent, total } = sending;
    const isWaiting = total > 0 && sent >= total;
    return (
      <ActionBar>
        <div className={styles.progress}>
          <Progress
            label={t(isWaiting ? 'sending_checked' : 'sending')}
            value={total === 0 || isWaiting ? null : sent / total}
            detail={total === 0 ? '' : t('sending_bytes', { sent: bytes(sent), total: bytes(total) })}
          />
        </div>
        <Button ref={button} variant="outline" onClick={onCancel}>
          {common('cancel')}
        </Button>
      </ActionBar>
    );
  }
  return (
    <ActionBar>
      <div className={styles.alert}>
        <SendingAlert />
      </div>
      <p className={styles.state} role="status">
        {state === 'cancelled'
          ? t('sending_cancelled')
          : isSaved && (
              <>
                <CheckIcon size={14} />
                {t('draft_kept')}
              </>
            )}
      </p>
      <Button ref={button} type="submit" variant="primary" size="l" className={styles.submit}>
        <SendIcon />
        {t(plugin ? 'submit_changes' : 'submit')}
      </Button>
    </ActionBar>
  );
}
