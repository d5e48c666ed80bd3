import { useMutation, useQueryClient } from '@tanstack/react-query';
import CircleAlertIcon from 'lucide-react/icons/circle-alert';
import InfoIcon from 'lucide-react/icons/info';
import TriangleAlertIcon from 'lucide-react/icons/triangle-alert';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { AUDIT_PASSED, AUDIT_WAITING } from '../../../../../shared/constants.ts';
import type { ReviewItem } from '../../../../../shared/entities/review.ts';
import { call } from '../../../../api/client.ts';
import { Button } from '../../../../ui/button/button.tsx';
import { classNames } from '../../../../ui/class-names.ts';
import { DateTime } from '../../frame/date-time.tsx';
import { UserLabel } from '../../frame/user-label.tsx';
import { auditQuery } from '../audits-query.ts';
import { type DecisionProblem, REVIEW_SCOPE, useProblemText } from '../decide/decision.ts';
import { otherReviewer } from '../submission.ts';
import styles from './notes.module.css';
import { OwnSubmissionNote } from './notes.tsx';

type Props = {
  item: ReviewItem;
  claim: ReturnType<typeof useClaim>;
  problem: DecisionProblem | undefined;
  onOpenNext: () => void;
};

/** The decision, or what prevents one: an own submission, another reviewer's claim, or their earlier decision. */
export function ReviewStatus({ item, claim, problem, onOpenNext }: Props) {
  const t = useTranslations('review');
  const say = useProblemText();
  const { other, mayTakeOver, takeOver } = claim;
  const openNext = (
    <Button size="s" variant="outline" onClick={onOpenNext}>
      {t('go_on')}
    </Button>
  );
  return (
    <>
      {problem && (
        <div className={classNames(styles.note, styles.negative)}>
          <CircleAlertIcon />
          <p className={styles.text} role="alert">
            {say(problem)}
          </p>
          {openNext}
        </div>
      )}
      {item.is_barred && (
        <Note icon={<InfoIcon />} action={item.audit_status === AUDIT_WAITING && openNext}>
          <OwnSubmissionNote />
        </Note>
      )}
      {other && (
        <Note icon={<TriangleAlertIcon />} look={styles.warning} action={openNext}>
          {t.rich(item.claimed_until ? 'claimed_until' : 'claimed_text', {
            name: other.nick_name,
            until: item.claimed_until ?? '',
            person: () => <UserLabel user={other} />,
            time: () => item.claimed_until && <DateTime at={item.claimed_until} />,
          })}
        </Note>
      )}
      {mayTakeOver && (
        <Note
          icon={<InfoIcon />}
          action={
            <Button size="s" variant="outline" onClick={takeOver}>
              {t('take_over')}
            </Button>
          }
        >
          {t('take_over_text')}
        </Note>
      )}
      {item.audit_status !== AUDIT_WAITING && <Decision item={item} />}
    </>
  );
}

type NoteProps = { icon: ReactNode; look?: string | undefined; action?: ReactNode; children: ReactNode };

function Note({ icon, look, action, children }: NoteProps) {
  return (
    <div className={classNames(styles.note, look)}>
      {icon}
      <p className={styles.text} role="status">
        {children}
      </p>
      {action}
    </div>
  );
}

function Decision({ item: { audit_status, decided_by, decided_at, reason } }: { item: ReviewItem }) {
  const t = useTranslations('review');
  return (
    <div className={classNames(styles.note, audit_status === AUDIT_PASSED ? styles.done : styles.negative)}>
      <InfoIcon />
      <p className={styles.text}>
        {t(audit_status === AUDIT_PASSED ? 'approved' : 'rejected')}
        {decided_by && (
          <>
            {' · '}
            <UserLabel user={decided_by} />
          </>
        )}
        {decided_at && (
          <>
            {' · '}
            <DateTime at={decided_at} />
          </>
        )}
      </p>
      {reason && <p className={styles.reason}>{reason}</p>}
    </div>
  );
}

/** Milliseconds, well before a claim expires. */
const CLAIM_RENEWAL_MS = 5 * 60_000;

/**
 * Claims a pending submission while it is open and releases it afterwards. If another reviewer had it on opening,
 * `takeOver` claims it once their claim has expired.
 */
export function useClaim(submissionId: number, item: ReviewItem | undefined, me: number | undefined) {
  const queryClient = useQueryClient();
  const [hasYielded, setHasYielded] = useState(false);
  const isWaiting = item?.audit_status === AUDIT_WAITING;
  const other = item && isWaiting ? otherReviewer(item, me) : undefined;
  if (other && !hasYielded) setHasYielded(true);
  const shouldClaim = isWaiting && !item.is_barred && !other && !hasYielded;
  const { mutate } = useMutation({
    scope: REVIEW_SCOPE,
    mutationFn: (isClaimed: boolean) =>
      call('claimAudit', { submission_id: submissionId, is_claimed: isClaimed }),
    onError: () => queryClient.invalidateQueries({ queryKey: auditQuery(submissionId).queryKey }),
    onSettled: (_item, _error, isClaimed) => {
      if (!isClaimed) void queryClient.invalidateQueries({ queryKey: ['listAudits'] });
    },
  });
  useEffect(() => {
    if (!shouldClaim) return;
    mutate(true);
    const timer = setInterval(() => mutate(true), CLAIM_RENEWAL_MS);
    return () => {
      clearInterval(timer);
      mutate(false);
    };
  }, [shouldClaim, mutate]);
  return {
    other,
    mayTakeOver: isWaiting && !item.is_barred && hasYielded && !other,
    takeOver: () => setHasYielded(false),
  };
}
