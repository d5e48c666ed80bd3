import { useParams } from 'react-router-dom';
import { MissingScreen } from '../frame/missing-screen.tsx';
import { ReviewView } from './view/review-view.tsx';

/** The one submission of a publisher that the path names. */
export function ReviewScreen() {
  const { submission_id = '' } = useParams();
  if (!/^[1-9]\d{0,14}$/.test(submission_id)) return <MissingScreen />;
  return <ReviewView key={submission_id} submissionId={Number(submission_id)} />;
}
