import { clientError } from './errors.ts';

/** A site, and how it is reached. */
export type Site = {
  /** Its origin, without a slash at the end. */
  url: string;
  fetch: typeof globalThis.fetch;
  /** Of texts; the site's own without it. */
  language?: string | undefined;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Resolves after so many milliseconds. @throws the signal's reason */
  wait: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
};

/** Milliseconds until a call without a body to stream is given up. */
const TIMEOUT = 30_000;

type Sending = {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  signal?: AbortSignal | undefined;
};

/**
 * Sends a request without cookies; redirects are not followed.
 * @throws ClientError OFFLINE when there is no answer
 */
export async function send(site: Site, path: string, sending: Sending = {}): Promise<Response> {
  const language = site.language === undefined ? {} : { 'accept-language': site.language };
  try {
    return await site.fetch(site.url + path, {
      credentials: 'omit',
      redirect: 'error',
      ...sending,
      signal: sending.signal ?? null,
      headers: { ...language, ...sending.headers },
    });
  } catch (cause) {
    sending.signal?.throwIfAborted();
    throw clientError('OFFLINE', { cause });
  }
}

/** The same for an answer that is read at once, with a time limit. */
export function sendBriefly(site: Site, path: string, sending: Sending = {}): Promise<Response> {
  const limit = AbortSignal.timeout(TIMEOUT);
  const signal = sending.signal ? AbortSignal.any([sending.signal, limit]) : limit;
  return send(site, path, { ...sending, signal }).catch((error: unknown) => {
    throw error === limit.reason ? clientError('OFFLINE', { cause: error }) : error;
  });
}

/** A path of the site, of an address that the site has told. @throws ClientError SITE_INVALID for another origin */
export function pathOn(site: Site, address: unknown): string {
  const url = typeof address === 'string' && URL.canParse(address, site.url) && new URL(address, site.url);
  if (!url || url.origin !== site.url) throw clientError('SITE_INVALID');
  return url.pathname + url.search;
}

/** An answer as an object of JSON; empty for anything else. */
export async function jsonOf(response: Response): Promise<Record<string, unknown>> {
  const body: unknown = await response.json().catch(() => undefined);
  return typeof body === 'object' && body !== null ? { ...body } : {};
}

/** The data of a successful answer `{ code, message, data }`. @throws ClientError */
export async function dataOf<T>(response: Response): Promise<T> {
  if (!response.ok) throw await failureOf(response);
  const body: { data?: T } | undefined = await response.json().catch(() => undefined);
  if (body?.data === undefined) throw clientError('SITE_INVALID', { status: response.status });
  return body.data;
}

/** What a refused call means. */
export async function failureOf(response: Response) {
  const { status } = response;
  const { code, data, error } = await jsonOf(response);
  const wait = Number(response.headers.get('retry-after'));
  const more = { status, ...(wait > 0 && { retryAfter: wait }) };
  if (status === 410)
    return clientError('WITHDRAWN', { ...more, reason: String(Object(data).reason ?? code) });
  if (status === 401) return clientError('SIGNED_OUT', { ...more, reason: String(code ?? error) });
  return clientError('SITE_FAILED', { ...more, reason: String(code ?? error) });
}
