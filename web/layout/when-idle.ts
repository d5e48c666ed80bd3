/** Milliseconds after which a page that is never idle counts as idle. */
const LATEST = 3000;
/** Delay after load for browsers without requestIdleCallback. */
const IDLE_DELAY_MS = 500;

/** Runs `task` once, after load and when the page is idle. Returns a function that cancels it. */
export function whenIdle(task: () => void): () => void {
  let forget = (): void => removeEventListener('load', wait);
  function wait(): void {
    if ('requestIdleCallback' in window) {
      const handle = requestIdleCallback(task, { timeout: LATEST });
      forget = () => cancelIdleCallback(handle);
    } else {
      const timer = setTimeout(task, IDLE_DELAY_MS);
      forget = () => clearTimeout(timer);
    }
  }
  if (document.readyState === 'complete') wait();
  else addEventListener('load', wait, { once: true });
  return () => forget();
}
