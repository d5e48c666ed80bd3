import { createHash } from 'node:crypto';
import { SIGN_IN_CHANNEL, SIGNED_IN_HEARD_MESSAGE, SIGNED_IN_MESSAGE } from '../../../shared/constants.ts';
import { escapeMarkup } from '../../../shared/escape-markup.ts';
import type { GatewayConfig } from '../options.ts';
import { loginOrigin } from './login-origin.ts';
import type { UxMode } from './transaction.ts';

/** Milliseconds in which a page that waits for a window without an opener can say that it takes over. */
const HEARD_WITHIN = 1000;

/**
 * Tells the opener (popup) or the parent (frame), of our own origin alone; a window or frame without either goes on
 * itself. A window is cut off from its opener by a login host with an opener policy of its own, so it asks on a channel of
 * this origin before it goes on. No message says more than that a session is there.
 */
const SCRIPT = `
const { returnTo, mode } = document.body.dataset;
const message = { type: '${SIGNED_IN_MESSAGE}', return_to: returnTo };
const goOn = () => location.replace(returnTo);
const host = window.opener ?? (window.parent === window ? null : window.parent);
if (host) {
  host.postMessage(message, location.origin);
  if (window.opener) window.close();
} else if (mode === 'popup' && window.BroadcastChannel) {
  const channel = new window.BroadcastChannel('${SIGN_IN_CHANNEL}');
  const late = window.setTimeout(goOn, ${HEARD_WITHIN});
  channel.onmessage = ({ data }) => {
    if (data.type !== '${SIGNED_IN_HEARD_MESSAGE}') return;
    window.clearTimeout(late);
    window.close();
    if (!window.closed) goOn();
  };
  channel.postMessage(message);
} else goOn();
`;
const HASH = createHash('sha256').update(SCRIPT).digest('base64');

/**
 * Every answer of a sign-in in a window of its own has the same opener policy, its redirects and its failures too, or the
 * browser cuts the tie to the opener on the way (HTML, cross-origin opener policies).
 */
export function openerPolicy(config: Pick<GatewayConfig, 'auth' | 'login' | 'publicUrl'>): string {
  const isOwnLogin = loginOrigin(config) === new URL(config.publicUrl).origin;
  return isOwnLogin ? 'same-origin-allow-popups' : 'unsafe-none';
}

/** The page at the end of a sign-in in a window or frame of its own (ux_mode popup and auth). */
export function createHandOffPage(
  config: Pick<GatewayConfig, 'auth' | 'frameAncestors' | 'login' | 'publicUrl'>,
): {
  headers: Record<string, string>;
  html(returnTo: string, mode: UxMode): string;
} {
  return {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; script-src 'sha256-${HASH}'; frame-ancestors ${config.frameAncestors}; base-uri 'none'`,
      'cross-origin-opener-policy': openerPolicy(config),
    },
    html: (returnTo, mode) =>
      `<!doctype html><meta charset="utf-8"><title></title><body data-return-to="${escapeMarkup(returnTo)}" data-mode="${mode}"><script>${SCRIPT}</script>`,
  };
}
