import { useTranslations } from 'use-intl';
import { Badge, type BadgeTone } from '../../../ui/badge/badge.tsx';
import { CheckIcon } from '../../../ui/icon/action-icons.tsx';
import { Spinner } from '../../../ui/spinner/spinner.tsx';
import type { BatchRow } from './batch-row.ts';
import styles from './batch-table.module.css';

const TONES = {
  ready: 'neutral',
  sending: 'neutral',
  unclear: 'warning',
  done: 'positive',
  refused: 'negative',
} as const satisfies Record<BatchRow['state']['kind'], BadgeTone>;

/** How a row stands: to be mended, ready, under way, done, refused or in doubt. */
export function RowState({ row: { state }, isSendable }: { row: BatchRow; isSendable: boolean }) {
  const t = useTranslations('batch');
  const { kind } = state;
  if ((kind === 'ready' || kind === 'unclear') && !isSendable)
    return <Badge tone="negative">{t('state_blocked')}</Badge>;
  return (
    <>
      <Badge tone={TONES[kind]}>
        {kind === 'sending' && <Spinner />}
        {kind === 'done' && <CheckIcon size={13} />}
        {t(`state_${kind}`)}
      </Badge>
      {kind === 'unclear' && <span className={styles.note}>{t('unclear_text')}</span>}
    </>
  );
}
