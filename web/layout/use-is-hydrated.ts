import { useSyncExternalStore } from 'react';

const never = (): (() => void) => () => undefined;

/** False until the page is hydrated. */
export function useIsHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
