import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../options.ts';
import { openerPolicy } from './hand-off-page.ts';

const SCRIPT = `location.replace(location.pathname + location.search + '&again=1')`;
const HASH = createHash('sha256').update(SCRIPT).digest('base64');

const WINDOWS: ReadonlySet<unknown> = new Set(['document', 'iframe']);

/**
 * Whether another site has sent a window or frame back here. Browsers then send no Strict cookie, so the session that
 * the new one replaces is not seen, and keep none for a frame (RFC 6265bis section 5.5): it comes once more, from this
 * site.
 */
export function isFromElsewhere({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return WINDOWS.has(headers['sec-fetch-dest']) && headers['sec-fetch-site'] === 'cross-site';
}

/** The page that has the browser come once more. Nothing of the request is in it. */
export function onceMorePage(
  config: Pick<GatewayConfig, 'auth' | 'frameAncestors' | 'login' | 'publicUrl'>,
): { headers: Record<string, string>; html: string } {
  return {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; script-src 'sha256-${HASH}'; frame-ancestors ${config.frameAncestors}; base-uri 'none'`,
      'cross-origin-opener-policy': openerPolicy(config),
    },
    html: `<!doctype html><meta charset="utf-8"><title></title><script>${SCRIPT}</script>`,
  };
}
