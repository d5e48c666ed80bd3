import { useEffect, useEffectEvent, useRef } from 'react';
import { useLocation } from 'react-router-dom';

/** Calls back whenever another page, or the same one again, has been gone to. */
export function useOnVisit(act: () => void): void {
  const { key } = useLocation();
  const seen = useRef(key);
  const onVisit = useEffectEvent(act);
  useEffect(() => {
    if (seen.current === key) return;
    seen.current = key;
    onVisit();
  }, [key]);
}
