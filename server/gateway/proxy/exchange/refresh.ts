import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { withoutSession } from '../../session/plugin.ts';
import type { ProxyCall } from '../access.ts';
import { authorization } from '../headers.ts';
import type { Attempt, Exchange } from './exchange.ts';

/** Why an attempt is aborted whose token the service has rejected. */
export const TOKEN_REJECTED = new Error('access token rejected');

/** A body that is a stream has been read (R 9.18). */
export function isReplayable({ request }: ProxyCall, { body }: Dispatcher.DispatchOptions): boolean {
  return request.session !== null && !(body instanceof Readable);
}

export function isTokenRejected({ mayRefresh }: Exchange, status: number): boolean {
  return status === 401 && mayRefresh;
}

/**
 * Sends a call again with a new access token, or as one of a visitor.
 * @throws as `renewSession`
 */
export async function replay(exchange: Exchange, attempt: Attempt): Promise<void> {
  const { call, options, upstream } = exchange;
  const { request, orAnonymous } = call;
  await request.renewSession().catch((error) => {
    if (!orAnonymous) throw error;
    return withoutSession(request, error);
  });
  const headers = { ...options.headers, authorization: undefined, ...authorization(request, upstream) };
  attempt({ ...exchange, options: { ...options, headers }, mayRefresh: false });
}
