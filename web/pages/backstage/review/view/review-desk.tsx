import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { AUDIT_PASSED, AUDIT_REFUSED, AUDIT_WAITING } from '../../../../../shared/constants.ts';
import type { AuditDetail } from '../../../../../shared/entities/backstage.ts';
import type { ReviewItem } from '../../../../../shared/entities/review.ts';
import { usePageHead } from '../../../../layout/page-head.tsx';
import { useListFilter } from '../../filters/use-list-filter.ts';
import { screenPath } from '../../frame/screens.ts';
import { auditPath } from '../audits-query.ts';
import { problemOf, useProblemText } from '../decide/problem.ts';
import { ReasonDialog } from '../decide/reason-dialog.tsx';
import { DeskBar } from './desk-bar.tsx';
import { DeskHead } from './desk-head.tsx';
import { DeskTabs } from './desk-tabs.tsx';
import { decidedState, JustDecided } from './just-decided.tsx';
import { PermissionBlock } from './permission-block.tsx';
import { Standing } from './standing.tsx';
import type { useClaim } from './use-claim.ts';
import { useDecide } from './use-decide.ts';
import { useNeighbours } from './use-neighbours.ts';

type Props = { detail: AuditDetail; claim: ReturnType<typeof useClaim>; me: number | undefined };

/** The submission on the reviewer's desk: what it is, what was found and what changed, and the decision. */
export function ReviewDesk({ detail, claim, me }: Props) {
  const t = useTranslations('review');
  const backstage = useTranslations('backstage');
  const say = useProblemText();
  const { item } = detail;
  const { name } = item.plugin;
  const { query } = useListFilter('unaudited');
  // The next submission begins at its first part.
  const kept = new URLSearchParams(query);
  for (const own of ['part', 'finding']) kept.delete(own);
  const search = kept.size > 0 ? `?${kept}` : '';
  const navigate = useNavigate();
  const [isAsking, setIsAsking] = useState(false);
  const neighbours = useNeighbours(item.submission_id, me);
  const isWaiting = item.audit_status === AUDIT_WAITING;
  const isPassed = item.audit_status === AUDIT_PASSED;
  usePageHead({ title: backstage('page_title', { screen: name }) });
  const open = (target: ReviewItem | undefined): void => {
    if (target) navigate(auditPath(target, search));
  };
  const goOn = (decided?: ReviewItem): void => {
    const { nextWaiting } = neighbours;
    const path = nextWaiting ? auditPath(nextWaiting, search) : `${screenPath('audit-list')}${search}`;
    navigate(path, { state: decided && decidedState(decided) });
  };
  const decision = useDecide(item, (decided) => {
    setIsAsking(false);
    if (isWaiting) goOn(decided);
  });
  const isLocked = item.is_barred || claim.other !== undefined;
  const approve = (): void => {
    if (!isPassed && !isLocked && !decision.isPending) decision.mutate({ verdict: AUDIT_PASSED });
  };
  const ask = (): void => {
    if (item.audit_status === AUDIT_REFUSED || isLocked) return;
    decision.reset();
    setIsAsking(true);
  };
  const problem = decision.error ? problemOf(decision.error) : undefined;
  return (
    <>
      <JustDecided />
      <DeskHead item={item} search={search} />
      <Standing item={item} claim={claim} problem={isAsking ? undefined : problem} onGoOn={() => goOn()} />
      <DeskBar
        item={item}
        neighbours={neighbours}
        isLocked={isLocked}
        busy={decision.isPending}
        isCovered={isAsking}
        onOpen={open}
        onApprove={approve}
        onReject={ask}
      />
      {detail.rights && <PermissionBlock rights={detail.rights} />}
      <DeskTabs detail={detail} />
      {isAsking && (
        <ReasonDialog
          title={t(isPassed ? 'take_back_title' : 'reject_title', { name })}
          text={t(isPassed ? 'take_back_text' : 'reject_text')}
          confirmLabel={t(isPassed ? 'take_back' : 'reject')}
          busy={decision.isPending}
          error={problem && say(problem)}
          onConfirm={(reason) => decision.mutate({ verdict: AUDIT_REFUSED, reason })}
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  );
}
