import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  BASE_PATH,
  LOGIN_ERROR_PARAMETER,
  SIGN_IN_CHANNEL,
  SIGN_IN_FAILED_MESSAGE,
  SIGNED_IN_HEARD_MESSAGE,
  SIGNED_IN_MESSAGE,
} from '../../../shared/constants.ts';
import type { ErrorCode } from '../../../shared/errors.ts';
import { escapeMarkup } from '../../../shared/escape-markup.ts';
import type { GatewayConfig } from '../options.ts';
import type { UxMode } from './cookies.ts';
import { loginOrigin } from './login-params.ts';

/** Milliseconds to wait for a reply of the opening page over the broadcast channel. */
const REPLY_TIMEOUT_MS = 1000;

/** The scripts of these pages. Messages contain only the result of the sign-in and are sent to our own origin only. */
const SCRIPTS = {
  /**
   * Notifies the opener (popup) or the parent (frame); without either the page continues to its target. A login host
   * with its own opener policy disconnects the window from its opener; then a broadcast channel of this origin is tried
   * first.
   */
  signedIn: `
const { returnTo, mode } = document.body.dataset;
const message = { type: '${SIGNED_IN_MESSAGE}', return_to: returnTo };
const goOn = () => location.replace(returnTo);
const host = window.opener ?? (window.parent === window ? null : window.parent);
if (host) {
  host.postMessage(message, location.origin);
  if (window.opener) window.close();
} else if (mode === 'popup' && window.BroadcastChannel) {
  const channel = new window.BroadcastChannel('${SIGN_IN_CHANNEL}');
  const late = window.setTimeout(goOn, ${REPLY_TIMEOUT_MS});
  channel.onmessage = ({ data }) => {
    if (data.type !== '${SIGNED_IN_HEARD_MESSAGE}') return;
    window.clearTimeout(late);
    window.close();
    if (!window.closed) goOn();
  };
  channel.postMessage(message);
} else goOn();
`,
  /** Navigates the parent of the frame, or the opener of the window. */
  openBind: `
const { next } = document.body.dataset;
const host = window.opener ?? window.parent;
host.location.replace(next);
if (window.opener) window.close();
`,
  /** Notifies the parent of a frame or the opener of a popup; any other window continues itself. */
  failed: `
const { code, next, mode } = document.body.dataset;
const opener = mode === 'popup' ? window.opener : null;
const host = window.parent === window ? opener : window.parent;
if (host) host.postMessage({ type: '${SIGN_IN_FAILED_MESSAGE}', code }, location.origin);
else location.replace(next);
if (opener) window.close();
`,
  /** Reloads the callback from this site. The page contains no data of the request. */
  again: `location.replace(location.pathname + location.search + '&again=1')`,
} as const;

type ScriptPage = {
  name: keyof typeof SCRIPTS;
  title?: string;
  head?: string;
  data?: Readonly<Record<string, string>>;
};

/**
 * All responses of a sign-in window, including redirects and errors, must have the same opener policy, or the browser
 * disconnects the window from its opener (HTML, cross-origin opener policies).
 */
export function openerPolicy(config: GatewayConfig): string {
  const isOwnLogin = loginOrigin(config) === new URL(config.publicUrl).origin;
  return isOwnLogin ? 'same-origin-allow-popups' : 'unsafe-none';
}

/** Sends a page with one script, allowed by its hash; not `sandbox`, which blocks the meta refresh. */
export function sendScriptPage(
  reply: FastifyReply,
  { name, title = '', head = '', data = {} }: ScriptPage,
): void {
  const { config } = reply.server.gateway;
  const script = SCRIPTS[name];
  const hash = createHash('sha256').update(script).digest('base64');
  const attributes = Object.entries(data).map(([key, value]) => ` data-${key}="${escapeMarkup(value)}"`);
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${hash}'`,
    `frame-ancestors ${config.frameAncestors}`,
    "base-uri 'none'",
  ];
  reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy.join('; '),
      'cross-origin-opener-policy': openerPolicy(config),
    })
    .send(
      `<!doctype html><meta charset="utf-8"><title>${title}</title>${head}<body${attributes.join('')}><script>${script}</script>`,
    );
}

/** A failed sign-in; undefined fields are unknown. */
export type FailedSignIn = { returnTo: string | undefined; mode: UxMode | undefined };

/** Returns the browser to `returnTo`, a path of this site, which shows the message of the error code. */
export function sendFailedPage(
  reply: FastifyReply,
  code: ErrorCode,
  { returnTo = BASE_PATH, mode = 'redirect' }: FailedSignIn,
): void {
  const url = new URL(returnTo, 'http://site');
  url.searchParams.set(LOGIN_ERROR_PARAMETER, code);
  const next = url.pathname + url.search + url.hash;
  sendScriptPage(reply, {
    name: 'failed',
    title: code,
    head: `<noscript><meta http-equiv="refresh" content="0; url=${escapeMarkup(next)}"></noscript>`,
    data: { code, next, mode },
  });
}

const WINDOWS: ReadonlySet<unknown> = new Set(['document', 'iframe']);

/**
 * Whether another site redirected a window or frame here. Browsers then send no Strict cookies, so the former session
 * would not be replaced, and store none in a frame (RFC 6265bis section 5.5): the callback is reloaded from this site.
 */
export function isFromOtherSite({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return WINDOWS.has(headers['sec-fetch-dest']) && headers['sec-fetch-site'] === 'cross-site';
}
