import { createHash } from 'node:crypto';
import { BASE_PATH, LOGIN_ERROR_PARAMETER, SIGN_IN_FAILED_MESSAGE } from '../../../shared/constants.ts';
import type { ErrorCode } from '../../../shared/errors.ts';
import { escapeMarkup } from '../../../shared/escape-markup.ts';
import type { GatewayConfig } from '../options.ts';
import { openerPolicy } from './hand-off-page.ts';
import type { UxMode } from './transaction.ts';

/**
 * Tells the page around a frame, or the opener of a window that was opened to sign in, of our own origin alone; any other
 * window goes on itself.
 */
const SCRIPT = `
const { code, next, mode } = document.body.dataset;
const opener = mode === 'popup' ? window.opener : null;
const host = window.parent === window ? opener : window.parent;
if (host) host.postMessage({ type: '${SIGN_IN_FAILED_MESSAGE}', code }, location.origin);
else location.replace(next);
if (opener) window.close();
`;
const HASH = createHash('sha256').update(SCRIPT).digest('base64');

type Failure = {
  code: ErrorCode;
  /** A path of this site. */
  returnTo?: string | undefined;
  /** Of the sign-in, where it is known. */
  mode?: UxMode | undefined;
};

/**
 * What a browser gets when a sign-in fails: the true status, and at once the way back to the page that it was to lead to,
 * or to the home page; that tells people what happened, in their language.
 */
export function signInFailedPage(
  { code, returnTo = BASE_PATH, mode = 'redirect' }: Failure,
  config: Pick<GatewayConfig, 'auth' | 'frameAncestors' | 'login' | 'publicUrl'>,
): { headers: Record<string, string>; html: string } {
  const next = escapeMarkup(withError(returnTo, code));
  return {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      // As everywhere but for `sandbox`, under which browsers follow no refresh.
      'content-security-policy': `default-src 'none'; script-src 'sha256-${HASH}'; frame-ancestors ${config.frameAncestors}; base-uri 'none'`,
      'cross-origin-opener-policy': openerPolicy(config),
    },
    html: [
      `<!doctype html><meta charset="utf-8"><title>${code}</title>`,
      `<noscript><meta http-equiv="refresh" content="0; url=${next}"></noscript>`,
      `<body data-code="${code}" data-next="${next}" data-mode="${mode}"><script>${SCRIPT}</script>`,
    ].join(''),
  };
}

function withError(path: string, code: ErrorCode): string {
  const url = new URL(path, 'http://site');
  url.searchParams.set(LOGIN_ERROR_PARAMETER, code);
  return url.pathname + url.search + url.hash;
}
