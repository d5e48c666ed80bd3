import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import { isPrivate } from '../../../shared/deploy-types.ts';
import { signInRoutes } from '../../../shared/routes/sign-in.ts';
import { ask, isObject, jsonObject } from '../upstream.ts';
import { hasLocalAccounts, isOwnLoginPage, loginOrigin } from './login-params.ts';

/** Headers of an answer as undici gives them, by lower-case names. */
type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Milliseconds that an answer of the login page counts, and that a failure does. */
const ANSWER_COUNTS = 60 * 60 * 1000;
const FAILURE_COUNTS = 60_000;
/** Milliseconds the login page has for one answer. */
const TIMEOUT_MS = 5000;
const REDIRECTS_MAX = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const PAGE_TYPES = /^(?:text\/html|application\/xhtml\+xml)\b/i;
/** A browser's frame asks with these; some login pages answer by them. */
const HEADERS = { accept: 'text/html', 'sec-fetch-dest': 'iframe', 'sec-fetch-mode': 'navigate' };

/** Ports that an address need not name. */
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };
/** A scheme alone, or scheme "://" host ":" port path, all but the host optional (CSP 3, section 2.3.1). */
const SOURCE =
  /^(?:(?<scheme>[a-z][a-z\d+.-]*):(?:$|\/\/))?(?<name>\*|(?:\*\.)?[\w.-]+|\[[\da-f:.]+\])?(?::(?<port>\d+|\*))?(?<path>\/.*)?$/;

/** The same for whether people may sign up; and milliseconds that the first page waits for it. */
const SIGN_UP_COUNTS = 60_000;
const SIGN_UP_FAILURE_COUNTS = 5000;
const SIGN_UP_TIMEOUT_MS = 2000;

/**
 * Tells whether people may make accounts for themselves, so that pages offer it. Our own identity service is asked: at
 * once the first time, later beside the requests; until it has answered, they may not. A user service of another make
 * says nothing of it: on public sites it is taken for open (specification section 2), on private ones for closed.
 */
export function createSignUpOpen({ gateway, upstreams }: FastifyInstance): () => Promise<boolean> {
  const { config, log, perf = performance } = gateway;
  if (!hasLocalAccounts(config)) return async () => !isPrivate(config.deployType);
  const { method, path } = signInRoutes.readSignInOptions;
  const answer = new LRUCache<'sign-up', boolean>({
    max: 1,
    ttl: SIGN_UP_COUNTS,
    ttlResolution: 0,
    perf,
    allowStale: true,
    async fetchMethod(_key, former = false, { options }) {
      try {
        const question = { method, path, headers: {}, timeout: SIGN_UP_TIMEOUT_MS };
        const { status, body } = await ask(upstreams.identity, question);
        const { data } = jsonObject(body);
        return status === 200 && isObject(data) && data.sign_up === true;
      } catch (error) {
        log.warn({ err: error }, 'sign-up setting request failed');
        options.ttl = SIGN_UP_FAILURE_COUNTS;
        return former;
      }
    },
  });
  return async () => (await answer.fetch('sign-up')) === true;
}

/**
 * Tells whether the login page may stand in a frame of this site: LOGIN_FRAME says `yes` or `no`; with `auto` the page
 * itself is asked, at the start and from then on once an hour, beside the requests. Until it has answered, and when it
 * cannot be had, it may not.
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
  if (!bringsCookiesBack(app.gateway)) return async () => false;
  const answer = new LRUCache<'frame', boolean>({
    max: 1,
    ttl: ANSWER_COUNTS,
    ttlResolution: 0,
    perf,
    allowStale: true,
    async fetchMethod(_key, _stale, { options }) {
      const isAllowed = await asksAllowed(app, host).catch((error: unknown) => {
        log.warn({ err: error }, 'login page frame check failed');
        options.ttl = FAILURE_COUNTS;
        return false;
      });
      log.debug({ allowed: isAllowed }, 'login page frame checked');
      return isAllowed;
    },
  });
  answer.set('frame', false, { ttl: 1 });
  app.addHook('onListen', async () => void answer.fetch('frame', { forceRefresh: true }));
  return async () => (await answer.fetch('frame')) === true;
}

/** A frame that comes back from another site brings only cookies with `Secure`, which an http site has none of. */
function bringsCookiesBack({ config }: FastifyInstance['gateway']): boolean {
  const site = new URL(config.publicUrl);
  const login = new URL(loginOrigin(config));
  return site.protocol === 'https:' ? login.protocol === 'https:' : login.hostname === site.hostname;
}

/** Follows the login page's redirects as a frame could: no policy of ours lets it leave the login host. */
async function asksAllowed({ gateway, provider, signInAt }: FastifyInstance, host: string): Promise<boolean> {
  const origin = loginOrigin(gateway.config);
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
      signal: AbortSignal.timeout(TIMEOUT_MS),
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
 * Whether a browser would show an answer of `page` in a frame of `host`, both origins: by `frame-ancestors` of every
 * policy it brings (CSP 3, section 6.4.2), and only without any by X-Frame-Options (HTML, section 7.8).
 */
export function mayBeFramed(headers: AnswerHeaders, page: string, host: string): boolean {
  const rules = linesOf(headers['content-security-policy']).flatMap(frameAncestors);
  if (rules.length > 0)
    return rules.every((sources) => sources.some((source) => matches(source, new URL(page), new URL(host))));
  return frameOptionsAllow(linesOf(headers['x-frame-options']), page, host);
}

/** Policies and options are lists, however many headers they come in. */
function linesOf(value: string | string[] | undefined): string[] {
  return [value ?? []].flat().flatMap((line) => line.split(','));
}

/** The sources of a policy's first `frame-ancestors`; nothing for a policy without one. */
function frameAncestors(policy: string): string[][] {
  const directives = policy.split(';').map((directive) => directive.trim().toLowerCase().split(/\s+/));
  const found = directives.find(([name]) => name === 'frame-ancestors');
  return found ? [found.slice(1)] : [];
}

/** Whether a source names `host`. What is allowed over http is over https. */
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

/** Browsers know three values; of several that differ they allow none as soon as one of the three is there. */
function frameOptionsAllow(lines: readonly string[], page: string, host: string): boolean {
  const options = new Set(lines.map((line) => line.trim().toLowerCase()));
  if (options.size > 1) return !['deny', 'allowall', 'sameorigin'].some((option) => options.has(option));
  if (options.has('deny')) return false;
  return !options.has('sameorigin') || page === host;
}
