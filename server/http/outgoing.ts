import { getCACertificates } from 'node:tls';
import type { Agent, Pool } from 'undici';
import { appError } from './errors.ts';

/** What libraries that speak for us ask of `fetch`. */
export type Fetch = (
  url: string,
  options: { method: string; headers: Headers | Record<string, string>; body?: unknown },
) => Promise<Response>;

/** An answer as it was received. */
type Received = {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
};

/** Statuses whose answers have no body (Fetch standard). */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** An answer as `fetch` would give it. */
export function responseOf({ status, headers, text }: Received): Response {
  const received = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    for (const line of [value ?? []].flat()) received.append(name, line);
  }
  return new Response(WITHOUT_BODY.has(status) ? null : text, { status, headers: received });
}

/**
 * Every connection that the program opens to a service is made here, or by a library with the authorities from here:
 * certificates are verified, and a private authority (setting UPSTREAM_CA) holds for all of them alike.
 */
type Trust = { ca?: string[] };

/** Far above any key set or token; an answer without end must not fill the memory. */
const ANSWER_BYTES = 1024 * 1024;

/** TLS options of Node: trust in the authorities that Node trusts and, beside them, in the one in `ca` (PEM). */
export function trustIn(ca: string | undefined): Trust {
  return ca === undefined ? {} : { ca: [...getCACertificates('default'), ca] };
}

/** Makes pools of connections, one for an origin. `connectTimeout` in milliseconds. */
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

/**
 * A `fetch` for services that are asked now and then: time-limited (milliseconds), following no redirect. What it
 * returns rejects with SERVICE_UNAVAILABLE when there is no answer.
 */
export function createOutgoingFetch({ ca, timeout }: { ca: string | undefined; timeout: number }): Fetch {
  let agent: Agent | undefined;
  return async (url, { method, headers, body }) => {
    // Who asks nobody loads nothing.
    const { Agent, request } = await import('undici');
    agent ??= new Agent({
      connect: { timeout, ...trustIn(ca) },
      headersTimeout: timeout,
      bodyTimeout: timeout,
      maxResponseSize: ANSWER_BYTES,
    });
    try {
      const answer = await request(url, {
        dispatcher: agent,
        method: method === 'POST' ? 'POST' : 'GET',
        headers: Object.fromEntries(new Headers(headers)),
        ...(method === 'POST' && { body: String(body ?? '') }),
        signal: AbortSignal.timeout(timeout),
      });
      const { statusCode: status, headers: received } = answer;
      return responseOf({ status, headers: received, text: await answer.body.text() });
    } catch (error) {
      throw appError('SERVICE_UNAVAILABLE', { cause: error });
    }
  };
}
