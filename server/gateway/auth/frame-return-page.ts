import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../options.ts';

const SCRIPT = `location.replace(location.href + '&again=1')`;
const HASH = createHash('sha256').update(SCRIPT).digest('base64');

/**
 * Whether a login page on another site has sent a frame back here. Browsers keep no Strict cookie of an answer to that
 * (RFC 6265bis section 5.5), so the frame comes once more, from this site.
 */
export function isFrameFromElsewhere({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers['sec-fetch-dest'] === 'iframe' && headers['sec-fetch-site'] === 'cross-site';
}

/** The page that has the frame come once more. Nothing of the request is in it. */
export function frameReturnPage({ frameAncestors }: Pick<GatewayConfig, 'frameAncestors'>): {
  headers: Record<string, string>;
  html: string;
} {
  return {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; script-src 'sha256-${HASH}'; frame-ancestors ${frameAncestors}; base-uri 'none'`,
    },
    html: `<!doctype html><meta charset="utf-8"><title></title><script>${SCRIPT}</script>`,
  };
}
