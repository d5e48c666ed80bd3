import { getCACertificates } from 'node:tls';
import type { Agent, Pool } from 'undici';
import { appError } from './errors.ts';

/** The part of `fetch` that libraries use. */
export type Fetch = (
  url: string,
  options: { method: string; headers: Headers | Record<string, string>; body?: unknown },
) => Promise<Response>;

type Received = {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
};

/** Statuses without a body (Fetch standard). */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** Converts to a response of the Fetch API. */
export function responseOf({ status, headers, text }: Received): Response {
  const received = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    for (const line of [value ?? []].flat()) received.append(name, line);
  }
  return new Response(WITHOUT_BODY.has(status) ? null : text, { status, headers: received });
}

/** Far larger than any key set or token response; an endless response must not fill the memory. */
const MAX_RESPONSE_BYTES = 1024 * 1024;

/** TLS options for outgoing connections, with Node's CAs and the private CA `ca` (PEM, UPSTREAM_CA). */
export function trustIn(ca: string | undefined): { ca?: string[] } {
  return ca === undefined ? {} : { ca: [...getCACertificates('default'), ca] };
}

/** Creates connection pools, one for each origin. `connectTimeout` in milliseconds. */
export async function openPools({
  ca,
  connectTimeout,
}: {
  ca: string | undefined;
  connectTimeout: number;
}): Promise<{ poolOf: (origin: string) => Pool; close: () => Promise<void> }> {
  const { Pool } = await import('undici');
  const connect = { timeout: connectTimeout, rejectUnauthorized: true, ...trustIn(ca) };
  const pools = new Map<string, Pool>();
  return {
    poolOf(origin) {
      const pool = pools.get(origin) ?? new Pool(origin, { connect, allowH2: false, pipelining: 1 });
      pools.set(origin, pool);
      return pool;
    },
    close: async () => {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()));
    },
  };
}

/** A `fetch` without redirects; `timeout` in milliseconds. Rejects with SERVICE_UNAVAILABLE. */
export function createOutgoingFetch({ ca, timeout }: { ca: string | undefined; timeout: number }): Fetch {
  let agent: Agent | undefined;
  return async (url, { method, headers, body }) => {
    // Loaded on the first call.
    const { Agent, request } = await import('undici');
    agent ??= new Agent({
      connect: { timeout, ...trustIn(ca) },
      headersTimeout: timeout,
      bodyTimeout: timeout,
      maxResponseSize: MAX_RESPONSE_BYTES,
    });
    try {
      const response = await request(url, {
        dispatcher: agent,
        method: method === 'POST' ? 'POST' : 'GET',
        headers: Object.fromEntries(new Headers(headers)),
        ...(method === 'POST' && { body: String(body ?? '') }),
        signal: AbortSignal.timeout(timeout),
      });
      const { statusCode: status, headers: received } = response;
      return responseOf({ status, headers: received, text: await response.body.text() });
    } catch (error) {
      throw appError('SERVICE_UNAVAILABLE', { cause: error });
    }
  };
}
