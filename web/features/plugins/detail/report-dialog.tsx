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

/** What is reported: a plugin, a collection, or what a publisher says about themselves. */
export type ReportSubject = { plugin_key: string } | { collection_key: string } | { handle: string };

type Props = { subject: ReportSubject; name: string; onClose: () => void };

type Said = { kind: ReportReason; reason: string };

/** How what was said of a subject is sent. */
function reportOf(subject: ReportSubject) {
  if ('plugin_key' in subject) {
    return {
      operation: 'reportPlugin',
      send: (said: Said) => call('reportPlugin', { ...subject, ...said }),
    } as const;
  }
  return 'handle' in subject
    ? ({
        operation: 'reportPublisher',
        send: (said: Said) => call('reportPublisher', { ...subject, ...said }),
      } as const)
    : ({
        operation: 'reportCollection',
        send: (said: Said) => call('reportCollection', { ...subject, ...said }),
      } as const);
}

export function ReportDialog({ subject, name, onClose }: Props) {
  const t = useTranslations('plugin');
  const common = useTranslations('common');
  const publisher = useTranslations('publisher');
  const [kind, setKind] = useState<ReportReason>();
  const [reason, setReason] = useState('');
  const [checked, setChecked] = useState(false);
  const session = useTranslations('session');
  const { startSignIn } = useViewer();
  const { operation, send } = reportOf(subject);
  const isPlugin = operation === 'reportPlugin';
  const report = useOperationBy(
    operation,
    (kind: ReportReason) => {
      return send({ kind, reason: reason.trim() });
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
        <p>
          {operation === 'reportPublisher'
            ? publisher('report_text')
            : t(isPlugin ? 'report_text' : 'report_text_collection')}
        </p>
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
