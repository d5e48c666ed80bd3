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

/** Milliseconds in which a page that waits for a window without an opener can say that it takes over. */
const HEARD_WITHIN = 1000;

/**
 * The scripts of these pages. No message says more than that a session is there, or why there is none, and all go to our
 * own origin alone.
 */
const SCRIPTS = {
  /**
   * Tells the opener (popup) or the parent (frame); a window or frame without either goes on itself. A window is cut off
   * from its opener by a login host with an opener policy of its own, so it asks on a channel of this origin before it
   * goes on.
   */
  handOff: `
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
`,
  /** Has the page around the frame, or the opener of the window, go on. */
  leadOut: `
const { next } = document.body.dataset;
const host = window.opener ?? window.parent;
host.location.replace(next);
if (window.opener) window.close();
`,
  /** Tells the page around a frame, or the opener of a window that was opened to sign in; any other goes on itself. */
  failed: `
const { code, next, mode } = document.body.dataset;
const opener = mode === 'popup' ? window.opener : null;
const host = window.parent === window ? opener : window.parent;
if (host) host.postMessage({ type: '${SIGN_IN_FAILED_MESSAGE}', code }, location.origin);
else location.replace(next);
if (opener) window.close();
`,
  /** Has the browser come once more, from this site. Nothing of the request is in the page. */
  again: `location.replace(location.pathname + location.search + '&again=1')`,
} as const;

type ScriptPage = {
  name: keyof typeof SCRIPTS;
  title?: string;
  head?: string;
  data?: Readonly<Record<string, string>>;
};

/**
 * Every answer of a sign-in in a window of its own has the same opener policy, its redirects and its failures too, or the
 * browser cuts the tie to the opener on the way (HTML, cross-origin opener policies).
 */
export function openerPolicy(config: GatewayConfig): string {
  const isOwnLogin = loginOrigin(config) === new URL(config.publicUrl).origin;
  return isOwnLogin ? 'same-origin-allow-popups' : 'unsafe-none';
}

/**
 * Answers with a document that does nothing but run one script of ours, allowed by its hash. Without `sandbox`, under
 * which browsers follow no refresh.
 */
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

/** Where a sign-in was to lead, and how; as far as that is known. */
export type Sought = { returnTo: string | undefined; mode: UxMode | undefined };

/**
 * What a browser gets when a sign-in fails: at once the way back to the page that it was to lead to, or to the home page;
 * that tells users what happened, in their language. `returnTo`: a path of this site; `mode`: of the sign-in, if known.
 */
export function sendFailedPage(
  reply: FastifyReply,
  code: ErrorCode,
  { returnTo = BASE_PATH, mode = 'redirect' }: Sought,
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
 * Whether another site has sent a window or frame back here. Browsers then send no Strict cookie, so the session that
 * the new one replaces is not seen, and keep none for a frame (RFC 6265bis section 5.5): it comes once more, from this
 * site.
 */
export function isFromElsewhere({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return WINDOWS.has(headers['sec-fetch-dest']) && headers['sec-fetch-site'] === 'cross-site';
}
