import { useFormatter, useTranslations } from 'use-intl';
import type { Finding } from '../../../../shared/entities/finding.ts';
import { errorText, failureText } from '../../../api/error-text.ts';
import { Badge, type BadgeTone } from '../../../ui/badge/badge.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { CheckIcon } from '../../../ui/icon/action-icons.tsx';
import { Spinner } from '../../../ui/spinner/spinner.tsx';
import { type BatchRow, type CheckFailure, failureOf } from './batch-row.ts';
import styles from './batch-table.module.css';
import type { RowActions } from './batch-table.tsx';
import { firstButtonId } from './row-buttons.tsx';
import { formProblems, isSendable, isWaiting, shownFindings } from './row-findings.ts';

const TONES = {
  ready: 'neutral',
  sending: 'neutral',
  unclear: 'warning',
  done: 'positive',
  refused: 'negative',
} as const satisfies Record<BatchRow['state']['kind'], BadgeTone>;

/** Fields by the names that the form's notes have for them. */
const NAMES = ['name', 'intro', 'description', 'contact', 'version_note', 'copyright_holder'] as const;

type RowStateProps = Pick<RowActions, 'onOpen' | 'onRecheck'> & {
  row: BatchRow;
  rows: readonly BatchRow[];
  isLocked: boolean;
};

/** How a row stands: to be completed or mended, asked about, not checked, ready, under way, done, refused or in doubt. */
export function RowState({ row, rows, isLocked, onOpen, onRecheck }: RowStateProps) {
  const t = useTranslations('batch');
  const { kind } = row.state;
  const errors = shownFindings(row, rows).filter(({ severity }) => severity === 'error');
  const missing = formProblems(row, rows).filter(({ code }) => code === 'FIELD_REQUIRED');
  if (missing.length > 0)
    return (
      <Missing
        {...{ row, missing, isLocked, onOpen }}
        label={errors.length > missing.length ? t('state_blocked') : undefined}
      />
    );
  if ((kind === 'ready' || kind === 'unclear') && !isSendable(row, rows))
    return <Badge tone="negative">{t('state_blocked')}</Badge>;
  if (isWaiting(row, rows))
    return (
      <Badge tone="neutral">
        <Spinner />
        {t('state_checking')}
      </Badge>
    );
  const failure = failureOf(row);
  if (failure) return <Unchecked {...{ row, failure, isLocked, onRecheck }} />;
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

type UncheckedProps = Pick<RowStateProps, 'row' | 'isLocked' | 'onRecheck'> & { failure: CheckFailure };

/** Nobody knows whether the service would take it: why, since when it may be asked again, and the way to do so. */
function Unchecked({ row, failure: { error, at }, isLocked, onRecheck }: UncheckedProps) {
  const t = useTranslations('batch');
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
        aria-label={t('check_again_named', { name: row.name || row.item.fileName })}
        disabled={isLocked}
        onClick={() => {
          // This button goes while the check is under way.
          document.getElementById(firstButtonId(row.id))?.focus();
          onRecheck();
        }}
      >
        {t('check_again')}
      </Button>
    </div>
  );
}

type MissingProps = Pick<RowStateProps, 'row' | 'isLocked' | 'onOpen'> & {
  missing: readonly Finding[];
  label: string | undefined;
};

/** What a row lacks, and the way to its form. */
function Missing({ row, missing, label, isLocked, onOpen }: MissingProps) {
  const t = useTranslations('batch');
  const publish = useTranslations('publish');
  const format = useFormatter();
  const named = NAMES.filter((name) => missing.some(({ pointer }) => pointer === `/${name}`));
  return (
    <div className={styles.missing}>
      {label !== undefined && <Badge tone="negative">{label}</Badge>}
      <Badge tone="warning">{t('missing', { count: missing.length })}</Badge>
      <span className={styles.note}>{format.list(named.map((name) => publish(`field_${name}`)))}</span>
      <Button
        variant="outline"
        size="s"
        aria-label={t('complete_named', { name: row.name || row.item.fileName })}
        disabled={isLocked}
        onClick={() => onOpen(row.id)}
      >
        {t('complete')}
      </Button>
    </div>
  );
}
