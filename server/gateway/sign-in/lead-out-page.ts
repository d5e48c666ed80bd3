import { createHash } from 'node:crypto';
import { escapeMarkup } from '../../../shared/escape-markup.ts';
import type { GatewayConfig } from '../options.ts';
import { openerPolicy } from './hand-off-page.ts';

/** Has the page around the frame, or the opener of the window, go on; both are of our own origin. */
const SCRIPT = `
const { next } = document.body.dataset;
const host = window.opener ?? window.parent;
host.location.replace(next);
if (window.opener) window.close();
`;
const HASH = createHash('sha256').update(SCRIPT).digest('base64');

/** A sign-in in a window or frame of its own that has to go on in the whole page. `next`: a path of this site. */
export function leadOutPage(
  next: string,
  config: Pick<GatewayConfig, 'auth' | 'frameAncestors' | 'login' | 'publicUrl'>,
): { headers: Record<string, string>; html: string } {
  return {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; script-src 'sha256-${HASH}'; frame-ancestors ${config.frameAncestors}; base-uri 'none'`,
      'cross-origin-opener-policy': openerPolicy(config),
    },
    html: `<!doctype html><meta charset="utf-8"><title></title><body data-next="${escapeMarkup(next)}"><script>${SCRIPT}</script>`,
  };
}
