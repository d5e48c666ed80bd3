/** Addresses of style sheets that failed: Vite asks for each only once, and its errors name one of several. */
const failed = new Set<string>();
let retry: Promise<unknown> | undefined;

/** Notes the style sheets that fail from now on. */
export function watchStyles(document: Document): void {
  const note = ({ target }: Event): void => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failed.add(target.href);
  };
  // Errors of elements don't bubble.
  document.addEventListener('error', note, { capture: true });
}

/** Asks again for all style sheets that failed. @returns the addresses of those that failed once more */
export async function retryStyles(): Promise<ReadonlySet<string>> {
  retry ??= Promise.all([...failed].map(loadStyle)).finally(() => {
    retry = undefined;
  });
  await retry;
  return failed;
}

function loadStyle(address: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.crossOrigin = '';
  link.href = address;
  link.onload = () => {
    failed.delete(address);
    resolve();
  };
  link.onerror = () => {
    link.remove();
    resolve();
  };
  document.head.append(link);
  return promise;
}
