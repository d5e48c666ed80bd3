import { rootCertificates } from 'node:tls';
import { Agent, type Dispatcher, request } from 'undici';
import { appError } from '../../http/errors.ts';

/** What libraries that speak for us ask of `fetch`. */
export type PeerFetch = (
  url: string,
  options: { method: string; headers: Headers | Record<string, string>; body?: unknown },
) => Promise<Response>;

const TIMEOUT = 10_000;
/** Far above any key set or token; an answer without end must not fill the memory. */
const ANSWER_BYTES = 1024 * 1024;

/** Statuses whose answers have no body (Fetch standard). */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * A `fetch` for the services that people sign in with: time-limited, following no redirect. `ca` in PEM.
 * What it returns rejects with SERVICE_UNAVAILABLE when there is no answer.
 */
export function createPeerFetch(ca: string | undefined): PeerFetch {
  const dispatcher = new Agent({
    connect: { timeout: TIMEOUT, ...(ca !== undefined && { ca: [...rootCertificates, ca] }) },
    headersTimeout: TIMEOUT,
    bodyTimeout: TIMEOUT,
    maxResponseSize: ANSWER_BYTES,
  });
  return async (url, { method, headers, body }) => {
    try {
      const answer = await request(url, {
        dispatcher,
        method: method === 'POST' ? 'POST' : 'GET',
        headers: Object.fromEntries(new Headers(headers)),
        ...(method === 'POST' && { body: String(body ?? '') }),
        signal: AbortSignal.timeout(TIMEOUT),
      });
      return await responseOf(answer);
    } catch (error) {
      throw appError('SERVICE_UNAVAILABLE', { cause: error });
    }
  };
}

async function responseOf({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<Response> {
  const received = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    for (const line of [value ?? []].flat()) received.append(name, line);
  }
  const text = await body.text();
  return new Response(WITHOUT_BODY.has(statusCode) ? null : text, { status: statusCode, headers: received });
}
