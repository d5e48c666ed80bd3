import { useEffect, useId } from 'react';

/** Who has input, and whether it comes back after a reload. */
const holders = new Map<string, boolean>();
let isReloading = false;

/** Whether leaving or replacing what is on screen would lose input. */
export function hasUnsavedInput(): boolean {
  return holders.size > 0;
}

/** Whether a reload would lose input: drafts come back. */
export function isLostByReload(): boolean {
  return [...holders.values()].includes(false);
}

/** From now on the browser doesn't ask before it leaves the page. */
export function leaveUnasked(): void {
  isReloading = true;
}

/**
 * While `isUnsaved`, `hasUnsavedInput` says so, and the browser asks before the page is closed or reloaded.
 * @param comesBack it is stored, and the page shows it again after a reload
 */
export function useUnsavedInput(isUnsaved: boolean, comesBack = false): void {
  const id = useId();
  useEffect(() => {
    if (!isUnsaved) return;
    const warn = (event: BeforeUnloadEvent): void => {
      if (!isReloading) event.preventDefault();
    };
    holders.set(id, comesBack);
    addEventListener('beforeunload', warn);
    return () => {
      holders.delete(id);
      removeEventListener('beforeunload', warn);
    };
  }, [isUnsaved, comesBack, id]);
}
