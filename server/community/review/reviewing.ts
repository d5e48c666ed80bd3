import type { Language } from '../../../shared/languages.ts';
import type { Caller } from '../auth/caller.ts';

/** Who looks or decides, in which language, and when (milliseconds since 1970). */
export type Reviewing = {
  caller: Caller;
  language: Language;
  now: number;
  /** Whether they may decide on what they have submitted themselves (setting REVIEW_OWN_SUBMISSIONS). */
  reviewsOwn: boolean;
};

/** Whether somebody may not decide on a submission because it is their own; one that a publish token submitted is. */
export function isBarred(
  { created_by }: { created_by: number },
  { caller, reviewsOwn }: Pick<Reviewing, 'caller' | 'reviewsOwn'>,
): boolean {
  return created_by === caller.user_id && !reviewsOwn;
}
