import { useEffect, useId } from 'react';

const holders = new Set<string>();

/** Whether leaving or replacing what is on screen would lose input. */
export function hasUnsavedInput(): boolean {
  return holders.size > 0;
}

/** While `isUnsaved`, `hasUnsavedInput` says so, and the browser asks before the page is closed or reloaded. */
export function useUnsavedInput(isUnsaved: boolean): void {
  const id = useId();
  useEffect(() => {
    if (!isUnsaved) return;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    holders.add(id);
    addEventListener('beforeunload', warn);
    return () => {
      holders.delete(id);
      removeEventListener('beforeunload', warn);
    };
  }, [isUnsaved, id]);
}
