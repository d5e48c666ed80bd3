import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { type Draft, dropDraft, keepDraft } from './draft.ts';

/** Milliseconds without a change after which the draft is written down. */
const CALM = 400;

type Facts = {
  key: string;
  /** What is to be kept; undefined when there is nothing that would be lost. */
  content: Omit<Draft, 'saved_at'> | undefined;
  /** The form began with a draft, taken or waiting to be asked for. */
  hasDraft: boolean;
  /** The user has not decided yet what to do with an older draft: it stays. */
  isOnHold: boolean;
  now: () => number;
};

/**
 * Keeps what is written in the form in this browser, soon after every change and when the page is left. A form that has
 * changed nothing writes and removes nothing: the draft may be another tab's.
 * @returns true once it is kept
 */
export function useDraft({ key, content, hasDraft, isOnHold, now }: Facts): boolean {
  const [isKept, setIsKept] = useState(false);
  const written = JSON.stringify(content);
  /** What this form knows to be kept: an empty text is a draft that it has not taken. */
  const last = useRef(hasDraft ? (written ?? '') : undefined);
  const write = useEffectEvent((): boolean => {
    if (isOnHold) return false;
    if (written === last.current) return content !== undefined;
    last.current = written;
    if (content) return keepDraft(localStorage, key, { ...content, saved_at: now() });
    dropDraft(localStorage, key);
    return false;
  });
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
