import type { Browser, BrowserContext } from 'playwright-core';

/** What the pages of a browser complained about and no test expected. */
const unexpected = new WeakMap<Browser, string[]>();

export function unexpectedComplaints(browser: Browser): string[] {
  const kept = unexpected.get(browser) ?? [];
  unexpected.set(browser, kept);
  return kept;
}

type Listening = { browser: Browser; complaints: string[]; expected: RegExp | undefined };

/**
 * Listens to every page of a context, its windows and frames too: errors and warnings of the console, uncaught errors,
 * violations of the Content-Security-Policy. What is heard is pushed to `complaints` and kept for the browser's end.
 */
export async function listenForComplaints(
  context: BrowserContext,
  { browser, complaints, expected }: Listening,
): Promise<void> {
  const kept = unexpectedComplaints(browser);
  const complain = (text: string): void => {
    if (expected?.test(text)) return;
    complaints.push(text);
    kept.push(text);
  };
  context.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    const { url } = message.location();
    complain(url ? `${message.text()} (${url})` : message.text());
  });
  context.on('weberror', (event) => {
    const error = event.error();
    complain(`${error.stack || `${error.name} ${error.message}`} (${event.page()?.url() ?? ''})`);
  });
  await context.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) => {
      console.error(`Content-Security-Policy: ${violatedDirective} forbids ${blockedURI} (${sourceFile})`);
    });
  });
}
