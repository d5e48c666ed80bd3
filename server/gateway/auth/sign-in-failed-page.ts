import { createHash } from 'node:crypto';
import { BASE_PATH, LOGIN_ERROR_PARAMETER, SIGN_IN_FAILED_MESSAGE } from '../../../shared/constants.ts';
import type { ErrorCode } from '../../../shared/errors.ts';
import { escapeMarkup } from '../../../shared/escape-markup.ts';
import type { GatewayConfig } from '../options.ts';

/** Tells the page around a frame, of our own origin alone; outside of a frame it goes on itself. */
const SCRIPT = `
const { code, next } = document.body.dataset;
if (window.parent === window) location.replace(next);
else window.parent.postMessage({ type: '${SIGN_IN_FAILED_MESSAGE}', code }, location.origin);
`;
const HASH = createHash('sha256').update(SCRIPT).digest('base64');

/**
 * What a browser gets when a sign-in fails: the true status, and at once the way back to the page that it was to lead to,
 * or to the home page; that tells a person what happened, in his language. `returnTo`: a path of this site.
 */
export function signInFailedPage(
  { code, returnTo = BASE_PATH }: { code: ErrorCode; returnTo?: string | undefined },
  { frameAncestors }: Pick<GatewayConfig, 'frameAncestors'>,
): { headers: Record<string, string>; html: string } {
  const next = escapeMarkup(withError(returnTo, code));
  return {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      // As everywhere but for `sandbox`, under which browsers follow no refresh.
      'content-security-policy': `default-src 'none'; script-src 'sha256-${HASH}'; frame-ancestors ${frameAncestors}; base-uri 'none'`,
    },
    html: [
      `<!doctype html><meta charset="utf-8"><title>${code}</title>`,
      `<noscript><meta http-equiv="refresh" content="0; url=${next}"></noscript>`,
      `<body data-code="${code}" data-next="${next}"><script>${SCRIPT}</script>`,
    ].join(''),
  };
}

function withError(path: string, code: ErrorCode): string {
  const url = new URL(path, 'http://site');
  url.searchParams.set(LOGIN_ERROR_PARAMETER, code);
  return url.pathname + url.search + url.hash;
}
