import { type Fetch, responseOf } from '../../http/fetch.ts';
import { ask } from './ask.ts';
import type { Upstream } from './upstream.ts';

/**
 * A `fetch` that asks through an upstream's connections: with its private authority, timeout and metrics, following
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
    return responseOf({ ...answer, text: answer.body.toString('utf8') });
  };
}
