import { MissingScreen } from '../frame/missing-screen.tsx';
import type { ScreenProps } from '../frame/screens.ts';
import { ReviewList } from './list/review-list.tsx';
import { ReviewView } from './view/review-view.tsx';

/** What publishers handed in: the list, or the one submission that the path names. */
export function ReviewScreen({ rest }: ScreenProps) {
  if (rest === '') return <ReviewList />;
  const submissionId = /^[1-9]\d{0,14}$/.test(rest) ? Number(rest) : undefined;
  if (submissionId === undefined) return <MissingScreen />;
  return <ReviewView key={submissionId} submissionId={submissionId} />;
}
