import { ask } from './ask.ts';
import type { Upstream } from './upstream.ts';

/** What libraries that speak for us ask of `fetch`. */
export type Fetch = (
  url: string,
  options: { method: string; headers: Headers | Record<string, string>; body?: unknown },
) => Promise<Response>;

/** Statuses whose answers have no body (Fetch standard). */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * A `fetch` that asks through an upstream's connections: with its private authority, time limit and figures, following
 * no redirect. The address may lie on any origin that `upstreamOf` knows.
 * @throws AppError UPSTREAM_*
 */
export function createFetch(upstreamOf: (origin: string) => Upstream): Fetch {
  return async (address, { method, headers, body }) => {
    const { origin, pathname, search } = new URL(address);
    const upstream = upstreamOf(origin);
    const answer = await ask(
      { ...upstream, basePath: '' },
      {
        method: method === 'POST' ? 'POST' : 'GET',
        path: pathname + search,
        headers: Object.fromEntries(new Headers(headers)),
        ...(method === 'POST' && { body: String(body ?? '') }),
      },
    );
    const received = new Headers();
    for (const [name, value] of Object.entries(answer.headers)) {
      for (const line of [value ?? []].flat()) received.append(name, line);
    }
    const text = WITHOUT_BODY.has(answer.status) ? null : answer.body.toString('utf8');
    return new Response(text, { status: answer.status, headers: received });
  };
}
