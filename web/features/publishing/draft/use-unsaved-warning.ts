import { useEffect } from 'react';

/** While there is something to lose, the browser asks before the page is closed or loaded anew. */
export function useUnsavedWarning(isActive: boolean): void {
  useEffect(() => {
    if (!isActive) return;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isActive]);
}
