import type { Dispatcher } from 'undici';
import { boundTokenIn } from '../../../http/authentication.ts';
import { isNetworkFailure } from '../../upstream.ts';
import type { ProxyCall } from '../access.ts';
import type { Exchange } from './exchange.ts';

/** A proof of possession works once. */
export function isRetryable({ request }: ProxyCall, { method }: Dispatcher.DispatchOptions): boolean {
  return (method === 'GET' || method === 'HEAD') && boundTokenIn(request) === undefined;
}

/**
 * Whether an attempt that failed is made once more (R 10.10). undici's `interceptors.retry` would also resume a truncated
 * response with a Range request.
 * @param status of the response, if there was one
 */
export function retries({ mayRetry, call }: Exchange, error: Error, status: number | undefined): boolean {
  return mayRetry && status === undefined && isNetworkFailure(error) && !call.reply.raw.destroyed;
}
