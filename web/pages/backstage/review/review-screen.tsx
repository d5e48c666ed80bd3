import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { AUDIT_PASSED, AUDIT_REFUSED, AUDIT_WAITING } from '../../../../shared/constants.ts';
import type { AuditDetail } from '../../../../shared/entities/backstage.ts';
import type { ReviewItem } from '../../../../shared/entities/review.ts';
import { useNavigateAfter } from '../../../api/latest-location.ts';
import { useOperationBy } from '../../../api/use-operation.ts';
import { QueryError } from '../../../features/plugins/query-error.tsx';
import { useLastSession } from '../../../features/session/use-session.ts';
import { usePageHead } from '../../../layout/page-head.tsx';
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx';
import { useListFilter } from '../filters/list-filter.ts';
import { MissingScreen } from '../frame/missing-screen.tsx';
import { screenPath } from '../frame/screens.ts';
import { auditPath, auditQuery } from './audits-query.ts';
import { type Decision, decide, problemOf, REVIEW_SCOPE, useProblemText } from './decide/decision.ts';
import { ReasonDialog, UnseenCodeDialog } from './decide/decision-dialogs.tsx';
import { hasUnseenCode, useSeenParts } from './seen-parts.ts';
import { DecisionBanner, decidedState } from './view/notes.tsx';
import { PermissionBlock } from './view/permission-block.tsx';
import { ReviewHeader, ReviewToolbar, useNeighbours } from './view/review-header.tsx';
import { ReviewStatus, useClaim } from './view/review-status.tsx';
import { ReviewTabs } from './view/review-tabs.tsx';
import styles from './view/review-view.module.css';

/** The publisher's submission in the path. */
export function ReviewScreen() {
  const { submission_id = '' } = useParams();
  if (!/^[1-9]\d{0,14}$/.test(submission_id)) return <MissingScreen />;
  return <ReviewView key={submission_id} submissionId={Number(submission_id)} />;
}

/** Milliseconds between checks whether another reviewer still has it. */
const CLAIM_POLL_MS = 10_000;

/** One submission with all its review data; claimed while it is open. */
function ReviewView({ submissionId }: { submissionId: number }) {
  const me = useLastSession().user?.user_id;
  const { data, error, isFetching, refetch } = useQuery({
    ...auditQuery(submissionId),
    refetchInterval: ({ state }) =>
      state.data?.item.claimed_by && state.data.item.claimed_by.user_id !== me ? CLAIM_POLL_MS : false,
  });
  const claim = useClaim(submissionId, data?.item, me);
  useEffect(() => {
    scrollTo({ top: 0 });
  }, []);
  if (data) return <ReviewPage detail={data} claim={claim} me={me} />;
  if (error?.status === 404) return <MissingScreen />;
  if (error) return <QueryError error={error} busy={isFetching} onRetry={() => void refetch()} />;
  return <Skeleton shape="block" className={styles.loading} />;
}

type Props = { detail: AuditDetail; claim: ReturnType<typeof useClaim>; me: number | undefined };

/** The review view: facts, findings, changes and decision. */
function ReviewPage({ detail, claim, me }: Props) {
  const t = useTranslations('review');
  const backstage = useTranslations('backstage');
  const problemText = useProblemText();
  const { item } = detail;
  const { name } = item.plugin;
  const { query, setParameters } = useListFilter('unaudited');
  // The next submission starts with its first tab.
  const listQuery = new URLSearchParams(query);
  for (const own of ['part', 'finding']) listQuery.delete(own);
  const search = listQuery.size > 0 ? `?${listQuery}` : '';
  const navigate = useNavigate();
  const navigateAfter = useNavigateAfter();
  const { seen, see } = useSeenParts(item.submission_id);
  const [question, setQuestion] = useState<'reject' | 'unseen'>();
  /** Whether to approve unseen code is asked once. */
  const [isSettled, setIsSettled] = useState(false);
  const neighbours = useNeighbours(item.submission_id, me);
  const isWaiting = item.audit_status === AUDIT_WAITING;
  const isApproved = item.audit_status === AUDIT_PASSED;
  usePageHead({ title: backstage('page_title', { screen: name }) });
  const open = (target: ReviewItem | undefined): void => {
    if (target) navigate(auditPath(target, search));
  };
  const { nextPending } = neighbours;
  const nextPath = nextPending ? auditPath(nextPending, search) : `${screenPath('audit-list')}${search}`;
  const decision = useDecide(item);
  // Callbacks of this call: someone who has left the page meanwhile stays where they are.
  const send = (verdict: Decision, reason = ''): void =>
    decision.mutate(
      { verdict, reason },
      {
        onSuccess: (decided) => {
          setQuestion(undefined);
          if (isWaiting) navigateAfter(nextPath, { state: decidedState(decided) });
        },
      },
    );
  const isLocked = item.is_barred || claim.other !== undefined;
  const approve = (): void => {
    if (isApproved || isLocked || decision.isPending) return;
    if (hasUnseenCode(item) && !isSettled) setQuestion('unseen');
    else send(AUDIT_PASSED);
  };
  const ask = (): void => {
    if (item.audit_status === AUDIT_REFUSED || isLocked) return;
    decision.reset();
    setQuestion('reject');
  };
  const problem = decision.error ? problemOf(decision.error) : undefined;
  return (
    <>
      <DecisionBanner />
      <ReviewHeader item={item} search={search} />
      <ReviewStatus
        item={item}
        claim={claim}
        problem={question === 'reject' ? undefined : problem}
        onOpenNext={() => navigate(nextPath)}
      />
      <ReviewToolbar
        item={item}
        neighbours={neighbours}
        isLocked={isLocked}
        busy={decision.isPending}
        isCovered={question !== undefined}
        onOpen={open}
        onApprove={approve}
        onReject={ask}
      />
      {detail.rights && <PermissionBlock rights={detail.rights} />}
      <ReviewTabs detail={detail} seen={seen} onSee={see} />
      {question === 'unseen' && (
        <UnseenCodeDialog
          approveLabel={t(item.audit_status === AUDIT_REFUSED ? 'approve_after_all' : 'approve')}
          onLook={() => {
            setQuestion(undefined);
            setParameters({ part: 'code', finding: '' });
          }}
          onApprove={() => {
            setQuestion(undefined);
            setIsSettled(true);
            send(AUDIT_PASSED);
          }}
          onClose={() => setQuestion(undefined)}
        />
      )}
      {question === 'reject' && (
        <ReasonDialog
          title={t(isApproved ? 'take_back_title' : 'reject_title', { name })}
          text={t(isApproved ? 'take_back_text' : 'reject_text')}
          confirmLabel={t(isApproved ? 'take_back' : 'reject')}
          busy={decision.isPending}
          error={problem && problemText(problem)}
          onConfirm={(reason) => send(AUDIT_REFUSED, reason)}
          onClose={() => setQuestion(undefined)}
        />
      )}
    </>
  );
}

/** Decides the submission on screen; after a failure its data is refetched. */
function useDecide(item: ReviewItem) {
  return useOperationBy(
    'decideAudit',
    ({ verdict, reason }: { verdict: Decision; reason: string }) => decide(item, verdict, reason),
    { scope: REVIEW_SCOPE, readsLater: true },
  );
}
