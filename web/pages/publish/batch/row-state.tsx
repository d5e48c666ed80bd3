import CheckIcon from 'lucide-react/icons/check';
import { useFormatter, useTranslations } from 'use-intl';
import type { Finding } from '../../../../shared/entities/finding.ts';
import { errorText, failureText } from '../../../api/error-text.ts';
import { Badge, type BadgeTone } from '../../../ui/badge/badge.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { Spinner } from '../../../ui/spinner/spinner.tsx';
import { type BatchRow, type CheckFailure, failureOf } from './batch-row.ts';
import styles from './batch-table.module.css';
import { firstButtonId, useRow } from './row-context.ts';
import { formProblems, isDryRunPending, isSendable } from './row-findings.ts';

const TONES = {
  ready: 'neutral',
  sending: 'neutral',
  unclear: 'warning',
  done: 'positive',
  refused: 'negative',
} as const satisfies Record<BatchRow['state']['kind'], BadgeTone>;

/** Fields by their names in the form's texts. */
const NAMES = ['name', 'intro', 'description', 'contact', 'version_note', 'copyright_holder'] as const;

/** State of a row: incomplete, invalid, being checked, unchecked, ready, sending, done, rejected or unknown. */
export function RowState() {
  const t = useTranslations('batch');
  const { row, rows, findings } = useRow();
  const { kind } = row.state;
  const errors = findings.filter(({ severity }) => severity === 'error');
  const missing = formProblems(row, rows).filter(({ code }) => code === 'FIELD_REQUIRED');
  if (missing.length > 0) return <Missing missing={missing} isBlocked={errors.length > missing.length} />;
  if ((kind === 'ready' || kind === 'unclear') && !isSendable(row, rows))
    return <Badge tone="negative">{t('state_blocked')}</Badge>;
  if (isDryRunPending(row, rows))
    return (
      <Badge tone="neutral">
        <Spinner />
        {t('state_checking')}
      </Badge>
    );
  const failure = failureOf(row);
  if (failure) return <Unchecked failure={failure} />;
  return (
    <>
      <Badge tone={TONES[kind]}>
        {kind === 'sending' && <Spinner />}
        {kind === 'done' && <CheckIcon size={13} />}
        {t(`state_${kind}`)}
      </Badge>
      {kind === 'ready' && row.unmatched === 'absent' && (
        <span className={styles.note}>{t('ready_here')}</span>
      )}
      {kind === 'unclear' && <span className={styles.note}>{t('unclear_text')}</span>}
    </>
  );
}

/** A failed dry run: reason, time of the next attempt, and a retry button. */
function Unchecked({ failure: { error, at } }: { failure: CheckFailure }) {
  const t = useTranslations('batch');
  const { row, name, isLocked, onRecheck } = useRow();
  const general = useTranslations('error');
  const format = useFormatter();
  const until = error?.status === 429 ? error.retryAfter : undefined;
  const time = until && format.dateTime(at + until * 1000, { timeStyle: 'short' });
  const reason = error && failureText(general(errorText(error)), error);
  return (
    <div className={styles.missing}>
      <Badge tone="warning">{t('state_unchecked')}</Badge>
      <span className={styles.note}>{time ? t('unchecked_limit', { time }) : reason}</span>
      <Button
        variant="outline"
        size="s"
        aria-label={t('check_again_named', { name })}
        disabled={isLocked}
        onClick={() => {
          // This button is removed while the check is running.
          document.getElementById(firstButtonId(row.id))?.focus();
          onRecheck();
        }}
      >
        {t('check_again')}
      </Button>
    </div>
  );
}

/** Missing fields of a row, and a button that opens its form. */
function Missing({ missing, isBlocked }: { missing: readonly Finding[]; isBlocked: boolean }) {
  const t = useTranslations('batch');
  const { row, name, isLocked, onOpen } = useRow();
  const publish = useTranslations('publish');
  const format = useFormatter();
  const fields = NAMES.filter((field) => missing.some(({ pointer }) => pointer === `/${field}`));
  return (
    <div className={styles.missing}>
      {isBlocked && <Badge tone="negative">{t('state_blocked')}</Badge>}
      <Badge tone="warning">{t('missing', { count: missing.length })}</Badge>
      <span className={styles.note}>{format.list(fields.map((field) => publish(`field_${field}`)))}</span>
      <Button
        variant="outline"
        size="s"
        aria-label={t('complete_named', { name })}
        disabled={isLocked}
        onClick={() => onOpen(row.id)}
      >
        {t('complete')}
      </Button>
    </div>
  );
}
