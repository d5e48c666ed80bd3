import { useState } from 'react';

const STORED = 'review-keys';

/** Whether single keys are commands here; whoever speaks to his computer can turn them off (WCAG 2.2, 2.1.4). */
export function useKeysWanted(): [wanted: boolean, want: (wanted: boolean) => void] {
  const [wanted, setWanted] = useState(() => localStorage.getItem(STORED) !== 'off');
  const want = (next: boolean): void => {
    localStorage.setItem(STORED, next ? 'on' : 'off');
    setWanted(next);
  };
  return [wanted, want];
}
