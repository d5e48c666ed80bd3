/** Milliseconds after which a page that never rests is taken for idle. */
const LATEST = 3000;
/** For browsers without requestIdleCallback: a moment after the page has loaded. */
const SOON = 500;

/** Runs `task` once, after the page has loaded and come to rest. Returns a way to forget it. */
export function whenIdle(task: () => void): () => void {
  let forget = (): void => removeEventListener('load', wait);
  function wait(): void {
    if ('requestIdleCallback' in window) {
      const handle = requestIdleCallback(task, { timeout: LATEST });
      forget = () => cancelIdleCallback(handle);
    } else {
      const timer = setTimeout(task, SOON);
      forget = () => clearTimeout(timer);
    }
  }
  if (document.readyState === 'complete') wait();
  else addEventListener('load', wait, { once: true });
  return () => forget();
}
