import { SIGN_IN_FAILED_MESSAGE, SIGNED_IN_MESSAGE } from '../../../shared/constants.ts';
import type { SignInParameters } from './sign-in-parameters.ts';

/** Results of a callback, for the page around the dialog. */
const RESULTS: ReadonlySet<unknown> = new Set([SIGNED_IN_MESSAGE, SIGN_IN_FAILED_MESSAGE]);

/**
 * Continues to the callback; nothing without one. Inside a dialog of this site the callback runs in a hidden frame and its
 * result is passed on, so that the form stays until the page around it goes on. Binding navigates that page itself.
 */
export function proceedTo(url: string | null, { ux_mode, bind_other }: SignInParameters): void {
  if (url === null) return;
  const isOurs = new URL(url, location.href).origin === location.origin;
  if (ux_mode !== 'auth' || bind_other !== undefined || window.parent === window || !isOurs) {
    location.replace(url);
    return;
  }
  const frame = document.createElement('iframe');
  frame.hidden = true;
  frame.src = url;
  addEventListener('message', ({ origin, source, data }: MessageEvent) => {
    if (origin === location.origin && source === frame.contentWindow && RESULTS.has(data?.type))
      window.parent.postMessage(data, location.origin);
  });
  // Where the callback can't be loaded, the browser says why.
  frame.addEventListener('load', () => {
    if (!frame.contentDocument) location.replace(url);
  });
  document.body.append(frame);
}
