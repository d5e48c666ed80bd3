import type { ServerEntry } from '../../shared/boot.ts';
import type { GatewayConfig } from './options.ts';
import { loginOrigin } from './sign-in/login-params.ts';

/** For all responses except pages: a browser that opens one as a document must not run anything. */
export function answerHeaders(publicUrl: URL): Record<string, string> {
  return {
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    ...(publicUrl.protocol === 'https:' && { 'strict-transport-security': 'max-age=31536000' }),
  };
}

/** For pages. Inline styles and scripts are allowed by hash, not nonce, so that pages can be cached. */
export function pageHeaders(
  config: Pick<
    GatewayConfig,
    'auth' | 'frameAncestors' | 'login' | 'pictureOrigins' | 'playgroundOrigin' | 'publicUrl'
  >,
  hashes: ServerEntry['inlineHashes'],
): Record<string, string> {
  // The build may have quoted the hashes.
  const sources = (values: readonly string[]): string =>
    values.map((value) => ` '${value.replaceAll("'", '')}'`).join('');
  const signInOrigin = loginOrigin(config);
  const framed = [signInOrigin, config.playgroundOrigin].filter(
    (origin) => origin !== undefined && origin !== new URL(config.publicUrl).origin,
  );
  const policy = [
    "default-src 'self'",
    `script-src 'self'${sources(hashes.script)}`,
    `style-src 'self'${sources(hashes.style)}`,
    "style-src-attr 'unsafe-inline'",
    ["img-src 'self' data: blob:", ...config.pictureOrigins].join(' '),
    "media-src 'self' blob:",
    ["frame-src 'self'", ...framed].join(' '),
    `frame-ancestors ${config.frameAncestors}`,
    "base-uri 'none'",
    "object-src 'none'",
    "form-action 'self'",
  ];
  return {
    'content-security-policy': policy.join('; '),
    // The sign-in window must reach its opener.
    'cross-origin-opener-policy': 'same-origin-allow-popups',
  };
}
