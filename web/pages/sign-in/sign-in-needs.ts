import type { PrefetchQuery } from '../../../shared/boot.ts';
import type { PageTarget } from '../../api/page-target.ts';

/** What the first view of the sign-in page depends on; without a way back it shows none of it. */
export function signInNeeds({ url }: PageTarget): PrefetchQuery[] {
  return url.searchParams.get('redirect_uri') ? [{ operation: 'readSignInOptions', payload: {} }] : [];
}
