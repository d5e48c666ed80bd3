import { createHash } from 'node:crypto';
import { SIGNED_IN_MESSAGE } from '../../../shared/constants.ts';
import { escapeMarkup } from '../../../shared/escape-markup.ts';
import type { GatewayConfig } from '../options.ts';
import { loginOrigin } from './login-origin.ts';

/** Tells the opener (popup) or the parent (frame), of our own origin alone; a window without either goes on itself. */
const SCRIPT = `
const returnTo = document.body.dataset.returnTo;
const host = window.opener ?? (window.parent === window ? null : window.parent);
if (host) {
  host.postMessage({ type: '${SIGNED_IN_MESSAGE}', return_to: returnTo }, location.origin);
  if (window.opener) window.close();
} else location.replace(returnTo);
`;

/**
 * Every answer of a sign-in in a window of its own has the same opener policy, its redirects too, or the browser cuts
 * the tie to the opener on the way (HTML, cross-origin opener policies).
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
  html(returnTo: string): string;
} {
  const hash = createHash('sha256').update(SCRIPT).digest('base64');
  return {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; script-src 'sha256-${hash}'; frame-ancestors ${config.frameAncestors}; base-uri 'none'`,
      'cross-origin-opener-policy': openerPolicy(config),
    },
    html: (returnTo) =>
      `<!doctype html><meta charset="utf-8"><title></title><body data-return-to="${escapeMarkup(returnTo)}"><script>${SCRIPT}</script>`,
  };
}
