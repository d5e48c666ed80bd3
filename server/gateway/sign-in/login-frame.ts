import type { FastifyBaseLogger } from 'fastify';
import type { GatewayConfig } from '../options.ts';
import type { Upstream } from '../upstream/upstream.ts';
import { type AnswerHeaders, mayBeFramed } from './frame-rules.ts';
import { isOwnLoginPage, loginOrigin } from './login-origin.ts';
import type { Provider } from './provider.ts';

/** Milliseconds that an answer of the login page counts, and that a failure does. */
const ANSWER_COUNTS = 10 * 60 * 1000;
const FAILURE_COUNTS = 60_000;
/** Milliseconds the login page has for one answer. */
const PATIENCE = 5000;
const REDIRECTS_MAX = 5;
/** A browser's frame asks with these; some login pages answer by them. */
const HEADERS = { accept: 'text/html', 'sec-fetch-dest': 'iframe', 'sec-fetch-mode': 'navigate' };

type Means = {
  config: Pick<GatewayConfig, 'auth' | 'frameAncestors' | 'login' | 'publicUrl'>;
  provider: Pick<Provider, 'loginUrl' | 'secrets'>;
  signInAt: (origin: string) => Pick<Upstream, 'dispatcher'>;
  log: FastifyBaseLogger;
  now: () => number;
};

/**
 * Tells whether the login page may stand in a frame of this site. The page itself is asked once in a while, beside the
 * requests: until it has answered, and when it cannot be had, it may not.
 */
export function createLoginFrame(means: Means): () => boolean {
  const { config, log, now } = means;
  const host = new URL(config.publicUrl).origin;
  if (isOwnLoginPage(config)) {
    const policy = { 'content-security-policy': `frame-ancestors ${config.frameAncestors}` };
    const isAllowed = mayBeFramed(policy, host, host);
    return () => isAllowed;
  }
  if (!bringsCookiesBack(config)) return () => false;
  let isAllowed = false;
  let isAsking = false;
  let asked = { at: Number.NEGATIVE_INFINITY, counts: 0 };

  async function ask(): Promise<void> {
    try {
      isAllowed = await asksAllowed(means, host);
      asked = { at: now(), counts: ANSWER_COUNTS };
    } catch (error) {
      isAllowed = false;
      asked = { at: now(), counts: FAILURE_COUNTS };
      log.warn({ err: error }, 'login page not asked whether it may be framed');
    }
    isAsking = false;
  }
  return () => {
    if (!isAsking && Math.abs(now() - asked.at) >= asked.counts) {
      isAsking = true;
      void ask();
    }
    return isAllowed;
  };
}

/** A frame that comes back from another site brings only cookies with `Secure`, which an http site has none of. */
function bringsCookiesBack(config: Means['config']): boolean {
  const site = new URL(config.publicUrl);
  const login = new URL(loginOrigin(config));
  return site.protocol === 'https:' ? login.protocol === 'https:' : login.hostname === site.hostname;
}

/** Follows the login page's redirects as a frame could: no policy of ours lets it leave the login host. */
async function asksAllowed({ config, provider, signInAt }: Means, host: string): Promise<boolean> {
  const origin = loginOrigin(config);
  const { dispatcher } = signInAt(origin);
  const begun = {
    nonce: 'may-it-be-framed',
    return_to: '/',
    ux_mode: 'auth' as const,
    secrets: provider.secrets(),
    expires: 0,
  };
  let address = new URL(await provider.loginUrl(begun, {}));
  for (let hop = 0; hop <= REDIRECTS_MAX; hop += 1) {
    if (address.origin !== origin) return false;
    const { statusCode, headers, body } = await dispatcher.request({
      origin,
      path: address.pathname + address.search,
      method: 'GET',
      headers: HEADERS,
      signal: AbortSignal.timeout(PATIENCE),
    });
    body.on('error', () => undefined).destroy();
    const next = redirectOf(statusCode, headers);
    if (next === undefined)
      return statusCode === 200 && isPage(headers) && mayBeFramed(headers, origin, host);
    if (!URL.canParse(next, address.href)) return false;
    address = new URL(next, address);
  }
  return false;
}

function redirectOf(status: number, { location }: AnswerHeaders): string | undefined {
  const isRedirect = [301, 302, 303, 307, 308].includes(status);
  return isRedirect && typeof location === 'string' ? location : undefined;
}

function isPage(headers: AnswerHeaders): boolean {
  return /^(?:text\/html|application\/xhtml\+xml)\b/i.test(String(headers['content-type'] ?? ''));
}
