import type { Need } from '../../../shared/boot.ts';

/** The protocol page is its text. */
export function protocolNeeds(): Need[] {
  return [{ operation: 'readProtocol', payload: {} }];
}
