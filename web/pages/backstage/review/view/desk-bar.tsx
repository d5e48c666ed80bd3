import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { AUDIT_PASSED, AUDIT_REFUSED, AUDIT_WAITING } from '../../../../../shared/constants.ts';
import type { ReviewItem } from '../../../../../shared/entities/review.ts';
import { Button } from '../../../../ui/button/button.tsx';
import { IconButton } from '../../../../ui/button/icon-button.tsx';
import { CheckIcon, CloseIcon } from '../../../../ui/icon/action-icons.tsx';
import { ChevronLeftIcon, ChevronRightIcon } from '../../../../ui/icon/arrow-icons.tsx';
import { Tooltip } from '../../../../ui/tooltip/tooltip.tsx';
import { useListFilter } from '../../filters/list-filter.ts';
import { KeysButton } from '../../keys/keys-button.tsx';
import { useKeysWanted } from '../../keys/use-keys.ts';
import { auditsQuery } from '../audits-query.ts';
import { waitingAfter } from '../submission.ts';
import styles from './review-view.module.css';

type Props = {
  item: ReviewItem;
  neighbours: Neighbours;
  /** Somebody else is at it, or it is the reviewer's own. */
  isLocked: boolean;
  busy: boolean;
  /** A dialog lies over the page. */
  isCovered: boolean;
  onOpen: (item: ReviewItem | undefined) => void;
  onApprove: () => void;
  onReject: () => void;
};

/** The decision, and the way to the submissions before and after; stays in sight. */
export function DeskBar({ item, neighbours, isLocked, busy, isCovered, onOpen, onApprove, onReject }: Props) {
  const t = useTranslations('review');
  const [areKeysWanted] = useKeysWanted();
  const withKey = (text: string, key: string): string => (areKeysWanted ? `${text} <kbd>${key}</kbd>` : text);
  const { previous, next } = neighbours;
  const { audit_status } = item;
  const rejectLabel = t(audit_status === AUDIT_PASSED ? 'take_back' : 'reject');
  const approveLabel = t(audit_status === AUDIT_REFUSED ? 'approve_after_all' : 'approve');
  return (
    <div className={styles.bar} role="toolbar" aria-label={t('decision')}>
      <Tooltip html={withKey(t('previous'), 'K')}>
        <IconButton
          label={t('previous')}
          icon={<ChevronLeftIcon size={18} />}
          disabled={!previous}
          onClick={() => onOpen(previous)}
        />
      </Tooltip>
      <Tooltip html={withKey(t('next'), 'J')}>
        <IconButton
          label={t('next')}
          icon={<ChevronRightIcon size={18} />}
          disabled={!next}
          onClick={() => onOpen(next)}
        />
      </Tooltip>
      <KeysButton
        isCovered={isCovered}
        commands={[
          { key: 'j', text: t('next'), action: () => onOpen(next) },
          { key: 'k', text: t('previous'), action: () => onOpen(previous) },
          { key: 'a', text: t('approve'), action: onApprove },
          { key: 'r', text: t('key_reject'), action: onReject },
        ]}
      />
      <span className={styles.space} />
      {audit_status !== AUDIT_REFUSED && (
        <Button
          variant={audit_status === AUDIT_WAITING ? 'outline' : 'soft'}
          disabled={isLocked || busy}
          onClick={onReject}
        >
          <CloseIcon />
          {rejectLabel}
        </Button>
      )}
      {audit_status !== AUDIT_PASSED && (
        <Button variant="primary" busy={busy} disabled={isLocked} onClick={onApprove}>
          {!busy && <CheckIcon />}
          {approveLabel}
        </Button>
      )}
    </div>
  );
}

/** What stands before and after a submission in the list it was opened from, and what waits next. */
type Neighbours = {
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
