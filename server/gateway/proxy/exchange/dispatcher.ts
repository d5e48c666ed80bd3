import { AsyncLocalStorage } from 'node:async_hooks';
import type { Dispatcher } from 'undici';
import { refusalBy, type Upstream } from '../../upstream.ts';
import type { ProxyCall } from '../access.ts';
import { abortWithClient } from './abort.ts';
import type { Exchange } from './exchange.ts';
import { maskResponse } from './mask.ts';
import { recordAttempt } from './record.ts';
import { isReplayable, isTokenRejected, replay, TOKEN_REJECTED } from './refresh.ts';
import { isRetryable, retries } from './retry.ts';

/** The library passes no call to its dispatcher. */
const calls = new AsyncLocalStorage<ProxyCall>();

/** Runs `work`, what it dispatches belongs to this call. */
export function runCall(call: ProxyCall, work: () => void): void {
  calls.run(call, work);
}

/**
 * The connections to a service for @fastify/reply-from, with refresh and replay, retry, abort and masking, which it does not
 * have.
 */
export function dispatcherTo(upstream: Upstream): Dispatcher {
  return upstream.dispatcher.compose((dispatch) => (options, handler) => {
    // Nothing else may read it: handlers run in the context of the request that opened the connection.
    const call = calls.getStore();
    if (!call) throw new Error('dispatch without a call');
    return attempt({
      upstream,
      call,
      dispatch,
      options: { ...options, path: upstream.basePath + call.target },
      handler,
      mayRefresh: isReplayable(call, options),
      mayRetry: isRetryable(call, options),
    });
  });
}

/** undici passes errors that its callbacks throw to `onResponseError`. */
function attempt(exchange: Exchange): boolean {
  const { upstream, call, dispatch, options, handler } = exchange;
  const { request, reply } = call;
  const record = recordAttempt(upstream, call);
  const response = maskResponse(call, handler);
  return dispatch(options, {
    onRequestStart(controller, context) {
      abortWithClient(reply, controller);
      handler.onRequestStart?.(controller, context);
    },
    onResponseStart(controller, status, headers, text) {
      // An informational response is not passed on.
      if (status < 200) return;
      record.responded(status);
      if (isTokenRejected(exchange, status)) return controller.abort(TOKEN_REJECTED);
      const refusal = refusalBy(upstream, status, headers);
      if (refusal) return controller.abort(refusal);
      // Visitors do not get it after all.
      if (status === 401 && request.sessionFailure) return controller.abort(request.sessionFailure);
      response.onResponseStart(controller, status, headers, text);
    },
    onResponseData: response.onResponseData,
    onResponseEnd(controller, trailers) {
      record.ended();
      response.onResponseEnd(controller, trailers);
    },
    onResponseError(controller, cause) {
      const error = record.failed(cause);
      if (cause === TOKEN_REJECTED) {
        replay(exchange, attempt).catch((failure) => handler.onResponseError?.(controller, failure));
      } else if (retries(exchange, error, record.status())) attempt({ ...exchange, mayRetry: false });
      else handler.onResponseError?.(controller, error);
    },
  });
}
