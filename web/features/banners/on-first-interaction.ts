const FIRST_USE = ['pointermove', 'pointerdown', 'keydown', 'scroll', 'touchstart'] as const;

/** Milliseconds after which a page that nobody uses counts as idle. */
const LATE = 8000;

/** Runs `task` once: at the visitor's first use of the page, or late when there is none. Returns a way to forget it. */
export function onFirstInteraction(task: () => void): () => void {
  const forget = (): void => {
    clearTimeout(timer);
    for (const name of FIRST_USE) removeEventListener(name, run);
  };
  const run = (): void => {
    forget();
    task();
  };
  const timer = setTimeout(run, LATE);
  for (const name of FIRST_USE) addEventListener(name, run, { passive: true });
  return forget;
}
