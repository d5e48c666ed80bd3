import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { QueryError } from '../../../../features/plugins/query-error.tsx';
import { useSession } from '../../../../features/session/use-session.ts';
import { Skeleton } from '../../../../ui/skeleton/skeleton.tsx';
import { MissingScreen } from '../../frame/missing-screen.tsx';
import { auditQuery } from '../audits-query.ts';
import { ReviewDesk } from './review-desk.tsx';
import styles from './review-view.module.css';
import { useClaim } from './use-claim.ts';

/** Milliseconds after which is asked again whether somebody else still has it. */
const LOOK_AGAIN_AFTER = 10_000;

/** One submission with everything a reviewer looks at; it is theirs while they do. */
export function ReviewView({ submissionId }: { submissionId: number }) {
  const me = useSession().user?.user_id;
  const { data, error, isFetching, refetch } = useQuery({
    ...auditQuery(submissionId),
    refetchInterval: ({ state }) =>
      state.data?.item.claimed_by && state.data.item.claimed_by.user_id !== me ? LOOK_AGAIN_AFTER : false,
  });
  const claim = useClaim(submissionId, data?.item, me);
  useEffect(() => {
    scrollTo({ top: 0 });
  }, []);
  if (data) return <ReviewDesk detail={data} claim={claim} me={me} />;
  if (error?.status === 404) return <MissingScreen />;
  if (error) return <QueryError error={error} busy={isFetching} onRetry={() => void refetch()} />;
  return <Skeleton shape="block" className={styles.loading} />;
}
