import { useEffect, useEffectEvent, useState } from 'react';
import { type Draft, dropDraft, keepDraft } from './draft.ts';

/** Milliseconds without a change after which the draft is written down. */
const CALM = 400;

type Facts = {
  key: string;
  /** What is to be kept; undefined when there is nothing that would be lost. */
  content: Omit<Draft, 'saved_at'> | undefined;
  /** The person has not decided yet what to do with an older draft: it stays. */
  isOnHold: boolean;
  now: () => number;
};

/**
 * Keeps what is written in the form in this browser, soon after every change and when the page is left.
 * @returns true once it is kept
 */
export function useDraft({ key, content, isOnHold, now }: Facts): boolean {
  const [isKept, setIsKept] = useState(false);
  const write = useEffectEvent((): boolean => {
    if (isOnHold) return false;
    if (content) return keepDraft(localStorage, key, { ...content, saved_at: now() });
    dropDraft(localStorage, key);
    return false;
  });
  const written = JSON.stringify(content);
  useEffect(() => {
    const timer = setTimeout(() => setIsKept(write()), written === undefined ? 0 : CALM);
    return () => clearTimeout(timer);
  }, [written]);
  useEffect(() => {
    const leave = (): void => {
      write();
    };
    addEventListener('pagehide', leave);
    return () => {
      removeEventListener('pagehide', leave);
      leave();
    };
  }, []);
  return isKept;
}
