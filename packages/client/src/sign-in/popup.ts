import type { Client } from '../client.ts';
import type { BeginOptions } from './code.ts';

const channelOf = (state: string): BroadcastChannel => new BroadcastChannel(`plugin-square sign-in ${state}`);

/**
 * Signs in with a window of its own, so that the page stays. To be called while a click is handled. The window is cut off from
 * this page (Cross-Origin-Opener-Policy), so nobody can tell when users close it: abort the signal with a button.
 * @param options `redirectUri` is a page of this origin that calls `finishPopup`
 * @throws ClientError as `completeSignIn`; the signal's reason
 */
export async function signInByPopup(
  client: Client,
  { signal, ...options }: BeginOptions & { signal?: AbortSignal },
): Promise<void> {
  // Opened at once: after a pause a browser would block it.
  const popup = window.open('about:blank', '', 'popup,width=520,height=720');
  const { url, state } = await client.beginSignIn(options);
  const channel = channelOf(state);
  try {
    const returned = new Promise<string>((resolve, reject) => {
      channel.onmessage = ({ data }) => resolve(String(data));
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
    if (popup) popup.location.href = url;
    else window.open(url);
    await client.completeSignIn(await returned);
  } finally {
    channel.close();
  }
}

/** On the page that the window comes back to: tells the page that opened it, and closes the window. */
export function finishPopup(): void {
  const channel = channelOf(new URLSearchParams(location.search).get('state') ?? '');
  channel.postMessage(location.href);
  channel.close();
  window.close();
}
