const FIRST_USE = ['pointermove', 'pointerdown', 'keydown', 'scroll', 'touchstart'] as const;

/** Runs `task` once, on first interaction or after `lateMs` milliseconds. Returns a function that cancels it. */
export function onFirstInteraction(task: () => void, timeoutMs?: number): () => void {
  const forget = (): void => {
    clearTimeout(timer);
    for (const name of FIRST_USE) removeEventListener(name, run);
  };
  const run = (): void => {
    forget();
    task();
  };
  const timer = timeoutMs === undefined ? undefined : setTimeout(run, timeoutMs);
  for (const name of FIRST_USE) addEventListener(name, run, { passive: true });
  return forget;
}
