import type { ServerEntry } from '../../shared/boot.ts';
import type { GatewayConfig } from './options.ts';
import { loginOrigin } from './sign-in/login-params.ts';

/** On every answer that is no page: should a browser open it as a document, it can do nothing. */
export function answerHeaders(publicUrl: URL): Record<string, string> {
  return {
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    ...(publicUrl.protocol === 'https:' && { 'strict-transport-security': 'max-age=31536000' }),
  };
}

/**
 * On every page. Inline styles and scripts are allowed by their hashes alone, which the web build knows, so the text is
 * the same for every request and pages can be cached.
 */
export function pageHeaders(
  config: Pick<GatewayConfig, 'auth' | 'frameAncestors' | 'login' | 'pictureOrigins' | 'publicUrl'>,
  hashes: ServerEntry['inlineHashes'],
): Record<string, string> {
  // The build may have quoted a hash already.
  const sources = (values: readonly string[]): string =>
    values.map((value) => ` '${value.replaceAll("'", '')}'`).join('');
  const signInOrigin = loginOrigin(config);
  const policy = [
    "default-src 'self'",
    `script-src 'self'${sources(hashes.script)}`,
    `style-src 'self'${sources(hashes.style)}`,
    "style-src-attr 'unsafe-inline'",
    ["img-src 'self' data: blob:", ...config.pictureOrigins].join(' '),
    "media-src 'self' blob:",
    `frame-src 'self'${signInOrigin === new URL(config.publicUrl).origin ? '' : ` ${signInOrigin}`}`,
    `frame-ancestors ${config.frameAncestors}`,
    "base-uri 'none'",
    "object-src 'none'",
    "form-action 'self'",
  ];
  return {
    'content-security-policy': policy.join('; '),
    /** The opened sign-in window must still reach the page that opened it. */
    'cross-origin-opener-policy': 'same-origin-allow-popups',
  };
}
