import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ReviewItem } from '../../../../../shared/entities/review.ts';
import { useListFilter } from '../../filters/use-list-filter.ts';
import { auditsQuery } from '../audits-query.ts';
import { waitingAfter } from './waiting-after.ts';

/** What stands before and after a submission in the list it was opened from, and what waits next. */
export type Neighbours = {
  previous: ReviewItem | undefined;
  next: ReviewItem | undefined;
  nextWaiting: ReviewItem | undefined;
};

export function useNeighbours(submissionId: number, me: number | undefined): Neighbours {
  const { filter } = useListFilter('unaudited');
  const list = useInfiniteQuery(auditsQuery(filter));
  const queue = useInfiniteQuery(auditsQuery({ ...filter, status: 'unaudited' }));
  const items = list.data?.pages.flatMap((page) => page.audit_list) ?? [];
  const place = items.findIndex(({ submission_id }) => submission_id === submissionId);
  const { hasNextPage, isFetching, fetchNextPage } = list;
  const isAtEnd = place >= 0 && place === items.length - 1;
  useEffect(() => {
    if (isAtEnd && hasNextPage && !isFetching) void fetchNextPage();
  }, [isAtEnd, hasNextPage, isFetching, fetchNextPage]);
  const waiting = queue.data?.pages.flatMap((page) => page.audit_list) ?? [];
  return {
    previous: items[place - 1],
    next: items[place + 1],
    nextWaiting: waitingAfter(waiting, submissionId, me),
  };
}
