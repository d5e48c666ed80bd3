import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import type { SecondFactorState } from '../../../../shared/routes/second-factor.ts';
import type { ApiError } from '../../../api/api-error.ts';
import { CodeField, useCode } from '../../../features/second-factor/code-field.tsx';
import { RecoveryCodes } from '../../../features/second-factor/enrolment.tsx';
import { Badge } from '../../../ui/badge/badge.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog/confirm-dialog.tsx';
import { useToast } from '../../../ui/toast/toast-context.ts';
import styles from './second-factor-section.module.css';
import { useRefreshState, useRemove, useRenewCodes } from './use-own-second-factor.ts';

/** The second factor is on: since when, remaining recovery codes, and its settings. */
export function TurnedOn({ state, since }: { state: SecondFactorState; since: string }) {
  const t = useTranslations('account');
  const format = useFormatter();
  const refreshState = useRefreshState();
  const [dialog, setDialog] = useState<'renew' | 'off'>();
  const [codes, setCodes] = useState<string[]>();
  const { recovery_codes_left: left, is_required: isRequired } = state;
  const close = (): void => setDialog(undefined);
  const keep = (made: string[]): void => {
    close();
    setCodes(made);
  };
  const done = (): void => {
    setCodes(undefined);
    refreshState();
  };
  if (codes) return <RecoveryCodes codes={codes} doneLabel={t('second_factor_done')} onDone={done} />;
  return (
    <div className={styles.panel}>
      <p className={styles.facts}>
        <Badge tone="positive">{t('second_factor_on')}</Badge>
        <span>
          {t('second_factor_since', { when: format.dateTime(new Date(since), { dateStyle: 'medium' }) })}
        </span>
        <span className={left === 0 ? styles.short : undefined}>
          {left === 0 ? t('second_factor_none_left') : t('second_factor_left', { count: left })}
        </span>
      </p>
      {isRequired && <p>{t('second_factor_required')}</p>}
      <div className={styles.actions}>
        <Button variant="outline" onClick={() => setDialog('renew')}>
          {t('second_factor_renew')}
        </Button>
        {!isRequired && (
          <Button variant="outline" onClick={() => setDialog('off')}>
            {t('second_factor_turn_off')}
          </Button>
        )}
      </div>
      {dialog === 'renew' && <RenewDialog onCodes={keep} onClose={close} />}
      {dialog === 'off' && <TurnOffDialog onClose={close} />}
    </div>
  );
}

type RenewDialogProps = { onCodes: (codes: string[]) => void; onClose: () => void };

/** Asks for a code, then shows new recovery codes. */
function RenewDialog({ onCodes, onClose }: RenewDialogProps) {
  const t = useTranslations('account');
  return (
    <CodeDialog
      title={t('second_factor_renew_title')}
      text={t('second_factor_renew_text')}
      confirmLabel={t('second_factor_renew')}
      attempt={useRenewCodes(onCodes)}
      onClose={onClose}
    />
  );
}

/** Asks for a code, then turns the second factor off. */
function TurnOffDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations('account');
  const toast = useToast();
  const remove = useRemove(() => toast({ kind: 'success', text: t('second_factor_turned_off') }));
  return (
    <CodeDialog
      title={t('second_factor_off_title')}
      text={t('second_factor_off_text')}
      confirmLabel={t('second_factor_turn_off')}
      tone="danger"
      attempt={remove}
      onClose={onClose}
    />
  );
}

type CodeDialogProps = {
  title: string;
  text: string;
  confirmLabel: string;
  tone?: 'normal' | 'danger';
  attempt: {
    error: ApiError | null;
    isPending: boolean;
    reset: () => void;
    mutate: (code: string) => void;
  };
  onClose: () => void;
};

/** Asks for a code before changing the second factor. */
function CodeDialog({ text, attempt, onClose, ...dialog }: CodeDialogProps) {
  const code = useCode('either', attempt);
  const confirm = (): void => {
    if (!attempt.isPending && code.check()) attempt.mutate(code.value);
  };
  return (
    <ConfirmDialog
      {...dialog}
      open
      busy={attempt.isPending}
      error={code.failure}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>{text}</p>
      <CodeField
        kind="either"
        value={code.value}
        onValueChange={code.change}
        error={code.wrong}
        onEnter={confirm}
      />
    </ConfirmDialog>
  );
}
