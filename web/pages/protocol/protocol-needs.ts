import type { PrefetchQuery } from '../../../shared/boot.ts';

/** The protocol page is its text. */
export function protocolNeeds(): PrefetchQuery[] {
  return [{ operation: 'readProtocol', payload: {} }];
}

/** The documentation for developers is its text too. */
export function developerDocsNeeds(): PrefetchQuery[] {
  return [{ operation: 'readDeveloperDocs', payload: {} }];
}
