import type { PrefetchQuery } from '../../../shared/boot.ts';
import type { PageTarget } from '../../api/page-target.ts';
import { bindStartParameters } from './bind-start-parameters.ts';

/** What a document service is called, where its account is to be bound. */
export function bindNeeds({ url }: PageTarget): PrefetchQuery[] {
  return bindStartParameters(url.searchParams) ? [{ operation: 'readSignInOptions', payload: {} }] : [];
}
