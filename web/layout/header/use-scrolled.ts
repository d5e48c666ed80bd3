import { useSyncExternalStore } from 'react';
import { HEADER_SCROLLED_FROM } from '../../../shared/constants.ts';

function subscribe(changed: () => void): () => void {
  addEventListener('scroll', changed, { passive: true });
  return () => removeEventListener('scroll', changed);
}

/** True once the page is scrolled by 20 px or more (specification section 4). */
export function useScrolled(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => scrollY >= HEADER_SCROLLED_FROM,
    () => false,
  );
}
