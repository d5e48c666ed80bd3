import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import { isPrivate } from '../../../shared/deploy-types.ts';
import { signInRoutes } from '../../../shared/routes/sign-in.ts';
import { callUpstream, isObject, jsonObject } from '../upstream.ts';
import { hasLocalAccounts, isOwnLoginPage, loginOrigin } from './login-params.ts';

/** Response headers of undici, with lower-case names. */
type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** All times in milliseconds. */
const FRAME_TTL_MS = 60 * 60 * 1000;
const FRAME_FAILURE_TTL_MS = 60_000;
const SIGN_UP_TTL_MS = 60_000;
const SIGN_UP_FAILURE_TTL_MS = 5000;
const REDIRECTS_MAX = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const PAGE_TYPES = /^(?:text\/html|application\/xhtml\+xml)\b/i;
/** A browser's headers for a frame; some login pages depend on them. */
const HEADERS = { accept: 'text/html', 'sec-fetch-dest': 'iframe', 'sec-fetch-mode': 'navigate' };

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };
/** A scheme-source, or a host-source with an optional scheme, port and path (CSP 3, section 2.3.1). */
const SOURCE =
  /^(?:(?<scheme>[a-z][a-z\d+.-]*):(?:$|\/\/))?(?<name>\*|(?:\*\.)?[\w.-]+|\[[\da-f:.]+\])?(?::(?<port>\d+|\*))?(?<path>\/.*)?$/;

/**
 * Whether users may sign up. The setting is read from our own identity service and refreshed in the background; the
 * first page waits for it. External user services do not have it: sign-up is open on public sites
 * and closed on private ones (R 8.29).
 */
export function createSignUpOpen({ gateway, upstreams }: FastifyInstance): () => Promise<boolean> {
  const { config, log, perf = performance, timeouts } = gateway;
  if (!hasLocalAccounts(config)) return async () => !isPrivate(config.deployType);
  const { method, path } = signInRoutes.readSignInOptions;
  const cache = new LRUCache<'sign-up', boolean>({
    max: 1,
    ttl: SIGN_UP_TTL_MS,
    ttlResolution: 0,
    perf,
    allowStale: true,
    async fetchMethod(_key, former = false, { options }) {
      try {
        const call = { method, path, headers: {}, timeout: timeouts.signUpSetting };
        const { status, body } = await callUpstream(upstreams.identity, call);
        const { data } = jsonObject(body);
        return status === 200 && isObject(data) && data.sign_up === true;
      } catch (error) {
        log.warn({ err: error }, 'sign-up setting request failed');
        options.ttl = SIGN_UP_FAILURE_TTL_MS;
        return former;
      }
    },
  });
  return async () => (await cache.fetch('sign-up')) === true;
}

/**
 * Whether the login page may be shown in a frame of this site. LOGIN_FRAME is `yes` or `no`; with `auto` the headers of
 * the login page are checked at the start and every hour, in the background. False until the first check and after a
 * failure.
 */
export function createLoginFrame(app: FastifyInstance): () => Promise<boolean> {
  const { config, log, perf = performance } = app.gateway;
  const { frame } = config.login;
  if (frame !== 'auto') return async () => frame === 'yes';
  const host = new URL(config.publicUrl).origin;
  if (isOwnLoginPage(config)) {
    const policy = { 'content-security-policy': `frame-ancestors ${config.frameAncestors}` };
    const isAllowed = mayBeFramed(policy, host, host);
    return async () => isAllowed;
  }
  if (!frameKeepsCookies(app.gateway)) return async () => false;
  const cache = new LRUCache<'frame', boolean>({
    max: 1,
    ttl: FRAME_TTL_MS,
    ttlResolution: 0,
    perf,
    allowStale: true,
    async fetchMethod(_key, _stale, { options }) {
      const isAllowed = await checkLoginPage(app, host).catch((error: unknown) => {
        log.warn({ err: error }, 'login page frame check failed');
        options.ttl = FRAME_FAILURE_TTL_MS;
        return false;
      });
      log.debug({ allowed: isAllowed }, 'login page frame checked');
      return isAllowed;
    },
  });
  cache.set('frame', false, { ttl: 1 });
  app.addHook('onListen', async () => void cache.fetch('frame', { forceRefresh: true }));
  return async () => (await cache.fetch('frame')) === true;
}

/** A frame returning from another site sends only `Secure` cookies, which an http site cannot set. */
function frameKeepsCookies({ config }: FastifyInstance['gateway']): boolean {
  const site = new URL(config.publicUrl);
  const login = new URL(loginOrigin(config));
  return site.protocol === 'https:' ? login.protocol === 'https:' : login.hostname === site.hostname;
}

/** Follows the login page's redirects as a frame could: our CSP does not allow it to leave the login origin. */
async function checkLoginPage(
  { gateway, provider, signInAt }: FastifyInstance,
  host: string,
): Promise<boolean> {
  const origin = loginOrigin(gateway.config);
  const { dispatcher } = signInAt(origin);
  const transaction = {
    nonce: 'may-it-be-framed',
    return_to: '/',
    ux_mode: 'auth' as const,
    secrets: provider.secrets(),
    expires: 0,
  };
  let address = new URL(await provider.loginUrl(transaction, {}));
  for (let hop = 0; hop <= REDIRECTS_MAX; hop += 1) {
    if (address.origin !== origin) return false;
    const { statusCode, headers, body } = await dispatcher.request({
      origin,
      path: address.pathname + address.search,
      method: 'GET',
      headers: HEADERS,
      signal: AbortSignal.timeout(gateway.timeouts.loginPage),
    });
    body.on('error', () => undefined).destroy();
    const { location, 'content-type': type } = headers;
    const isPage = statusCode === 200 && PAGE_TYPES.test(String(type));
    if (isPage) return mayBeFramed(headers, origin, host);
    const isRedirect = REDIRECTS.has(statusCode) && typeof location === 'string';
    if (!isRedirect || !URL.canParse(location, address.href)) return false;
    address = new URL(location, address);
  }
  return false;
}

/**
 * Whether a browser shows a response of the origin `page` in a frame of the origin `host`: by `frame-ancestors` of
 * every CSP (CSP 3, section 6.4.2), and only if there is none by X-Frame-Options (HTML, section 7.8).
 */
export function mayBeFramed(headers: ResponseHeaders, page: string, host: string): boolean {
  const rules = linesOf(headers['content-security-policy']).flatMap(frameAncestors);
  if (rules.length > 0)
    return rules.every((sources) => sources.some((source) => matches(source, new URL(page), new URL(host))));
  return frameOptionsAllow(linesOf(headers['x-frame-options']), page, host);
}

/** Both headers are comma-separated lists and may be repeated. */
function linesOf(value: string | string[] | undefined): string[] {
  return [value ?? []].flat().flatMap((line) => line.split(','));
}

/** The sources of a policy's first `frame-ancestors` directive, as a list of none or one. */
function frameAncestors(policy: string): string[][] {
  const directives = policy.split(';').map((directive) => directive.trim().toLowerCase().split(/\s+/));
  const found = directives.find(([name]) => name === 'frame-ancestors');
  return found ? [found.slice(1)] : [];
}

/** Whether a source matches `host`. A source with http also matches https. */
function matches(source: string, page: URL, host: URL): boolean {
  if (source === "'self'") return page.origin === host.origin;
  const found = SOURCE.exec(source)?.groups;
  if (!found || source === '*') return source === '*';
  const { scheme = page.protocol.slice(0, -1), name, port, path = '/' } = found;
  const isScheme = host.protocol === `${scheme}:` || (scheme === 'http' && host.protocol === 'https:');
  if (name === undefined) return isScheme && source === `${scheme}:`;
  const usual = DEFAULT_PORTS[host.protocol] ?? '';
  const actual = host.port || usual;
  const isPort = port === '*' || actual === (port ?? usual) || (port === '80' && actual === '443');
  const isHost = name.startsWith('*') ? host.hostname.endsWith(name.slice(1)) : name === host.hostname;
  return isScheme && isPort && isHost && path === '/';
}

/** Browsers know three values; different values refuse the frame if one of the three is among them. */
function frameOptionsAllow(lines: readonly string[], page: string, host: string): boolean {
  const options = new Set(lines.map((line) => line.trim().toLowerCase()));
  if (options.size > 1) return !['deny', 'allowall', 'sameorigin'].some((option) => options.has(option));
  if (options.has('deny')) return false;
  return !options.has('sameorigin') || page === host;
}
