import ExternalLinkIcon from 'lucide-react/icons/external-link';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { useLocale, useTranslations } from 'use-intl';
import { AUDIT_REFUSED } from '../../../../../shared/constants.ts';
import type { ReviewItem } from '../../../../../shared/entities/review.ts';
import { useOperationBy } from '../../../../api/use-operation.ts';
import { FindingSummary } from '../../../../features/findings/finding-counts.tsx';
import { PluginIcon } from '../../../../features/plugins/plugin-icon.tsx';
import { Badge } from '../../../../ui/badge/badge.tsx';
import { Button } from '../../../../ui/button/button.tsx';
import { Checkbox } from '../../../../ui/checkbox/checkbox.tsx';
import { Dialog } from '../../../../ui/dialog/dialog.tsx';
import { Progress } from '../../../../ui/progress/progress.tsx';
import { ShortText } from '../../../../ui/visually-hidden/short-text.tsx';
import { auditPath } from '../audits-query.ts';
import { hasUnseenCode } from '../seen-parts.ts';
import styles from './bulk-dialog.module.css';
import {
  type Decision,
  type DecisionProblem,
  decide,
  problemOf,
  REVIEW_SCOPE,
  useProblemText,
} from './decision.ts';
import { ReasonField, useReasonForm } from './reason-field.tsx';

export type BulkTask = {
  /** The selection, and submissions that were left out or can't be decided. */
  items: readonly ReviewItem[];
  chosen: readonly ReviewItem[];
  verdict: Decision;
};

type BulkDialogProps = BulkTask & {
  onClose: (isDecided: boolean) => void;
  /** Gets the focus after a decision: the button that opened the dialog is gone by then. */
  place: RefObject<HTMLElement | null>;
};

/** Approves or rejects several submissions: confirms once, shows progress, and reports each result. */
export function BulkDialog({ items, chosen, verdict, onClose, place }: BulkDialogProps) {
  const t = useTranslations('review');
  const common = useTranslations('common');
  const { control, handleSubmit } = useReasonForm();
  const { phase, outcomes, run } = useBulkDecision();
  const [ids, setIds] = useState<ReadonlySet<number>>(
    new Set(chosen.map(({ submission_id }) => submission_id)),
  );
  const isRejection = verdict === AUDIT_REFUSED;
  const selected = items.filter(({ submission_id }) => ids.has(submission_id));
  const count = selected.length;
  const toggle = ({ submission_id }: ReviewItem): void => {
    const next = new Set(ids);
    if (!next.delete(submission_id)) next.add(submission_id);
    setIds(next);
  };
  const startRun = (): void => {
    if (isRejection)
      void handleSubmit(({ reason }) => run({ items: selected, verdict, reason: reason.trim() }))();
    else run({ items: selected, verdict, reason: '' });
  };
  const isOver = phase === 'over';
  const close = (): void => {
    if (phase !== 'running') onClose(isOver);
  };
  return (
    <Dialog
      open
      onClose={close}
      title={t(isRejection ? 'bulk_reject_title' : 'bulk_approve_title', { count })}
      closeLabel={common('close')}
      finalFocus={() => (isOver ? place.current : null)}
      foot={
        <>
          {!isOver && (
            <Button variant="outline" disabled={phase === 'running'} onClick={close}>
              {common('cancel')}
            </Button>
          )}
          {isOver ? (
            <Button variant="primary" onClick={close}>
              {common('close')}
            </Button>
          ) : (
            <Button
              variant="primary"
              className={isRejection ? styles.danger : undefined}
              busy={phase === 'running'}
              disabled={count === 0}
              onClick={startRun}
            >
              {t(isRejection ? 'reject' : 'approve')}
            </Button>
          )}
        </>
      }
    >
      <div className={styles.content}>
        {phase === 'asking' && (
          <p className={styles.text}>{t(isRejection ? 'reject_text' : 'approve_text')}</p>
        )}
        {phase === 'asking' && selected.length < items.length && (
          <p className={styles.text}>{t('bulk_left_out')}</p>
        )}
        {phase === 'asking' && isRejection && <ReasonField control={control} />}
        {phase !== 'asking' && (
          <Progress
            label={t('bulk_progress')}
            value={outcomes.size / count}
            detail={t('bulk_done', { done: outcomes.size, count })}
          />
        )}
        <BulkList
          items={phase === 'asking' ? items : selected}
          ids={ids}
          outcomes={outcomes}
          verdict={verdict}
          onToggle={phase === 'asking' ? toggle : undefined}
        />
      </div>
    </Dialog>
  );
}

type Props = {
  items: readonly ReviewItem[];
  ids: ReadonlySet<number>;
  outcomes: Outcomes;
  verdict: Decision;
  /** Undefined once decided. */
  onToggle: ((item: ReviewItem) => void) | undefined;
};

/** The submissions of one decision, each with its findings and its result. */
function BulkList({ items, ids, outcomes, verdict, onToggle }: Props) {
  const t = useTranslations('review');
  const problemText = useProblemText();
  const locale = useLocale();
  const isApproval = verdict !== AUDIT_REFUSED;
  const done = t(isApproval ? 'approved' : 'rejected');
  return (
    <ul className={styles.list} aria-label={t('selected_list')}>
      {items.map((item) => {
        const { submission_id, plugin, version, findings, is_own, is_barred, is_opened } = item;
        const outcome = outcomes.get(submission_id);
        const lang = plugin.lang === locale ? undefined : plugin.lang;
        return (
          <li key={submission_id} className={styles.item}>
            {onToggle && (
              <Checkbox
                label={t('select_named', { name: plugin.name })}
                hideLabel
                checked={ids.has(submission_id)}
                disabled={is_barred}
                onChange={() => onToggle(item)}
              />
            )}
            <PluginIcon icon={plugin.icon} name={plugin.name} size={36} />
            <div className={styles.what}>
              <span className={styles.name}>
                <span lang={lang}>{plugin.name}</span> <span className={styles.version}>{version}</span>
                {is_own && <Badge>{t('own')}</Badge>}
                {!is_opened && !is_barred && <Badge tone="warning">{t('not_opened')}</Badge>}
                {onToggle && isApproval && is_opened && !is_barred && hasUnseenCode(item) && (
                  <Badge tone="warning">{t('code_unseen')}</Badge>
                )}
                {outcome === 'done' && <Badge tone="positive">{done}</Badge>}
              </span>
              {is_barred && <span className={styles.note}>{t('own_barred')}</span>}
              {outcome && outcome !== 'done' && (
                <span className={styles.problem}>{problemText(outcome)}</span>
              )}
              {onToggle && <FindingSummary findings={findings} none={t('no_findings')} />}
            </div>
            {onToggle && (
              <Link className={styles.open} to={auditPath(item, '')} target="_blank">
                <ShortText full={t('open_named', { name: plugin.name })}>{t('key_open')}</ShortText>
                <ExternalLinkIcon />
              </Link>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** Results by submission id; one without an entry is pending. */
type Outcomes = ReadonlyMap<number, 'done' | DecisionProblem>;

type Run = { items: readonly ReviewItem[]; verdict: Decision; reason: string };

const PHASES = { idle: 'asking', pending: 'running', success: 'over', error: 'over' } as const;

/** Decides submissions one after another; a failure doesn't stop the others, leaving the page does. */
function useBulkDecision() {
  const [outcomes, setOutcomes] = useState<Outcomes>(new Map());
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const decideAll = async ({ items, verdict, reason, signal }: Run & { signal: AbortSignal }) => {
    for (const item of items) {
      if (signal.aborted) return;
      const outcome = await decide(item, verdict, reason).then((): 'done' => 'done', problemOf);
      setOutcomes((before) => new Map(before).set(item.submission_id, outcome));
    }
  };
  const { mutate, status } = useOperationBy('decideAudit', decideAll, {
    scope: REVIEW_SCOPE,
    readsLater: true,
  });
  const run = (task: Run): void => {
    running.current = new AbortController();
    mutate({ ...task, signal: running.current.signal });
  };
  return { phase: PHASES[status], outcomes, run };
}
