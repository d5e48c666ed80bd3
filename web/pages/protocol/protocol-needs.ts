import type { Need } from '../../../shared/boot.ts';

/** The protocol page is its text. */
export function protocolNeeds(): Need[] {
  return [{ operation: 'readProtocol', payload: {} }];
}

/** The documentation for developers is its text too. */
export function developerDocsNeeds(): Need[] {
  return [{ operation: 'readDeveloperDocs', payload: {} }];
}
