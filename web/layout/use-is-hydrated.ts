import { useSyncExternalStore } from 'react';

const never = (): (() => void) => () => undefined;

/** False in the page as it was sent, true as soon as its buttons work. */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
