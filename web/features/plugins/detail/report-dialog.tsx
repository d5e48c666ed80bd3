import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { TEXT_LIMITS } from '../../../../shared/constants.ts';
import type { ReportReason } from '../../../../shared/entities/site.ts';
import { isVisible } from '../../../../shared/visible-text.ts';
import { isUnauthenticated } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { useOperationBy } from '../../../api/use-operation.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog/confirm-dialog.tsx';
import { RadioGroup } from '../../../ui/radio-group/radio-group.tsx';
import { TextArea } from '../../../ui/text-area/text-area.tsx';
import { useViewer } from '../viewer-context.ts';
import styles from './plugin-actions.module.css';

const REASONS = [
  'malicious',
  'broken',
  'infringing',
  'offensive',
  'misleading',
  'other',
] as const satisfies readonly ReportReason[];

/** What is reported: a plugin, or what a publisher says about themselves. */
export type Reported = { plugin_key: string } | { handle: string };

type Props = { about: Reported; name: string; onClose: () => void };

export function ReportDialog({ about, name, onClose }: Props) {
  const t = useTranslations('plugin');
  const common = useTranslations('common');
  const publisher = useTranslations('publisher');
  const [kind, setKind] = useState<ReportReason>();
  const [reason, setReason] = useState('');
  const [checked, setChecked] = useState(false);
  const session = useTranslations('session');
  const { startSignIn } = useViewer();
  const report = useOperationBy(
    'handle' in about ? 'reportPublisher' : 'reportPlugin',
    (kind: ReportReason) => {
      const said = { kind, reason: reason.trim() };
      return 'handle' in about
        ? call('reportPublisher', { ...about, ...said })
        : call('reportPlugin', { ...about, ...said });
    },
    {
      done: t('report_sent'),
      failed: t('report_failed'),
      errorMessages: ({ status }) => (status === 429 ? t('report_too_often') : undefined),
      onSuccess: onClose,
      onError: (error) => {
        if (isUnauthenticated(error)) startSignIn(undefined, session('ask_report', { name }));
      },
    },
  );
  const isTooLong = [...reason].length > TEXT_LIMITS.reason;
  const submit = (): void => {
    setChecked(true);
    if (kind !== undefined && reason.trim() !== '' && !isTooLong) report.mutate(kind);
  };
  return (
    <ConfirmDialog
      open
      title={t('report_title', { name })}
      confirmLabel={t('report_send')}
      busy={report.isPending}
      error={report.failure}
      onConfirm={submit}
      onClose={onClose}
    >
      <div className={styles.report}>
        <p>{'handle' in about ? publisher('report_text') : t('report_text')}</p>
        <RadioGroup
          label={t('report_kind')}
          value={kind}
          onChange={setKind}
          error={checked && kind === undefined ? t('report_kind_missing') : undefined}
          options={REASONS.map((value) => ({ value, label: t(`report_${value}`) }))}
        />
        <TextArea
          label={t('report_reason')}
          required
          maxLength={TEXT_LIMITS.reason}
          value={reason}
          onChange={setReason}
          error={
            isTooLong
              ? common('too_long', { limit: TEXT_LIMITS.reason })
              : checked && !isVisible(reason)
                ? t('report_missing')
                : undefined
          }
        />
      </div>
    </ConfirmDialog>
  );
}
