/** Headers of an answer as undici gives them, by lower-case names. */
export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Ports that an address need not name. */
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };
/** scheme "://" host ":" port path, all but the host optional (CSP 3, section 2.3.1). */
const HOST_SOURCE = /^(?:([a-z][a-z\d+.-]*):\/\/)?(\*|(?:\*\.)?[\w.-]+|\[[\da-f:.]+\])(?::(\d+|\*))?(\/.*)?$/;
const SCHEME_SOURCE = /^([a-z][a-z\d+.-]*):$/;

/**
 * Whether a browser would show an answer of `page` in a frame of `host`, both origins: by `frame-ancestors` of every
 * policy it brings (CSP 3, section 6.4.2), and only without any by X-Frame-Options (HTML, section 7.8).
 */
export function mayBeFramed(headers: AnswerHeaders, page: string, host: string): boolean {
  const rules = linesOf(headers['content-security-policy']).flatMap(frameAncestors);
  if (rules.length > 0) return rules.every((sources) => allows(sources, page, host));
  return frameOptionsAllow(linesOf(headers['x-frame-options']), page, host);
}

/** Policies and options are lists, however many headers they come in. */
function linesOf(value: string | string[] | undefined): string[] {
  return [value ?? []].flat().flatMap((line) => line.split(','));
}

/** The sources of a policy's first `frame-ancestors`; nothing for a policy without one. */
function frameAncestors(policy: string): string[][] {
  for (const directive of policy.split(';')) {
    const [name, ...sources] = directive.trim().toLowerCase().split(/\s+/);
    if (name === 'frame-ancestors') return [sources];
  }
  return [];
}

function allows(sources: readonly string[], page: string, host: string): boolean {
  return sources.some((source) => matches(source, new URL(page), new URL(host)));
}

function matches(source: string, page: URL, host: URL): boolean {
  if (source === '*') return true;
  if (source === "'self'") return page.origin === host.origin;
  const scheme = SCHEME_SOURCE.exec(source)?.[1];
  if (scheme !== undefined) return matchesScheme(`${scheme}:`, host);
  const [, wantedScheme, name, port, path = '/'] = HOST_SOURCE.exec(source) ?? [];
  if (name === undefined || path !== '/') return false;
  const schemeFits = matchesScheme(wantedScheme === undefined ? page.protocol : `${wantedScheme}:`, host);
  return schemeFits && matchesHost(name, host.hostname) && matchesPort(port, host);
}

/** What is allowed over http is over https. */
function matchesScheme(wanted: string, { protocol }: URL): boolean {
  return wanted === protocol || (wanted === 'http:' && protocol === 'https:');
}

function matchesHost(wanted: string, hostname: string): boolean {
  if (wanted === '*') return true;
  return wanted.startsWith('*.') ? hostname.endsWith(wanted.slice(1)) : hostname === wanted;
}

function matchesPort(wanted: string | undefined, { port, protocol }: URL): boolean {
  const usual = DEFAULT_PORTS[protocol];
  const actual = port === '' ? usual : port;
  return wanted === '*' || actual === (wanted ?? usual) || (wanted === '80' && actual === '443');
}

/** Browsers know three values; of several that differ they allow none as soon as one of the three is there. */
function frameOptionsAllow(lines: readonly string[], page: string, host: string): boolean {
  const options = new Set(lines.map((line) => line.trim().toLowerCase()));
  if (options.size > 1) return !['deny', 'allowall', 'sameorigin'].some((option) => options.has(option));
  if (options.has('deny')) return false;
  return !options.has('sameorigin') || page === host;
}
