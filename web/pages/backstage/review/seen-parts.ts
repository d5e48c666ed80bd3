import { useState } from 'react';
import type { ReviewItem } from '../../../../shared/entities/review.ts';
import { tabStorage } from '../../../api/tab-storage.ts';

/** Parts of a submission, in the order of their tabs. */
export const PARTS = ['check', 'listing', 'code', 'history'] as const;
export type Part = (typeof PARTS)[number];

const keyOf = (submissionId: number): string => `review-seen-${submissionId}`;

/** Parts of a submission that the reviewer has seen in this tab. */
function seenParts(submissionId: number): Part[] {
  const seen = tabStorage().getItem(keyOf(submissionId))?.split(' ') ?? [];
  return PARTS.filter((part) => seen.includes(part));
}

/** Whether it brings code that the reviewer has not looked at. */
export function hasUnseenCode({ submission_id, is_first, brings_version }: ReviewItem): boolean {
  return (is_first || brings_version) && !seenParts(submission_id).includes('code');
}

/** The parts of a submission that were seen, and a function that adds one; kept as long as the tab. */
export function useSeenParts(submissionId: number) {
  const [seen, setSeen] = useState(() => seenParts(submissionId));
  const see = (part: Part): void => {
    const now = seenParts(submissionId);
    if (now.includes(part)) return;
    tabStorage().setItem(keyOf(submissionId), [...now, part].join(' '));
    setSeen([...now, part]);
  };
  return { seen, see };
}
