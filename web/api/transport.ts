import { COMMUNITY_TIMEOUT } from '../../shared/constants.ts';
import { type ApiError, apiError, errorOfAnswer, isApiError } from './api-error.ts';
import { type Payload, requestOf } from './request.ts';
import type { WireOperation } from './wire-operation.ts';

/** What a cancelled call resolves with: quietly, with the reason's message (specification section 8). */
export type Cancelled = { cancelled: true; message: string };

export type CallOptions = { signal?: AbortSignal | undefined };

export type Send = (operation: WireOperation, payload: Payload, options?: CallOptions) => Promise<unknown>;

type Environment = {
  fetch: typeof fetch;
  /** Put before every path: empty in the browser. */
  origin: string;
  pagePath: () => string;
  /** Milliseconds after which an unanswered call has failed. */
  timeout?: number;
};

export function isCancelled(answer: unknown): answer is Cancelled {
  return typeof answer === 'object' && answer !== null && 'cancelled' in answer && answer.cancelled === true;
}

/**
 * Makes the function that sends operations and unwraps `{ code, message, data }` (design section 3).
 * The sender resolves with the data, or with Cancelled when its signal was aborted.
 * @throws ApiError for everything else.
 */
export function createSend({ fetch, origin, pagePath, timeout = COMMUNITY_TIMEOUT }: Environment): Send {
  return async (operation, payload, { signal } = {}) => {
    const limit = AbortSignal.timeout(timeout);
    try {
      const { path, init } = await requestOf(operation, payload, pagePath());
      const response = await fetch(`${origin}${path}`, {
        ...init,
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
      });
      return unwrap(response.status, response.headers, await response.text(), operation.successCode);
    } catch (error) {
      if (signal?.aborted) return { cancelled: true, message: 'canceled' } satisfies Cancelled;
      throw asApiError(error);
    }
  };
}

/**
 * The data of an envelope: success is code 0 or 200 with data present (specification section 4), or `successCode` alone
 * where a call has one.
 */
export function unwrap(status: number, headers: Headers, text: string, successCode?: number): unknown {
  const body = parseJson(text);
  const fine = status >= 200 && status < 300 && typeof body === 'object' && body !== null;
  if (fine && 'code' in body && isSuccess(body.code, successCode) && 'data' in body) {
    if (body.data !== undefined && body.data !== null) return body.data;
  }
  throw errorOfAnswer(status, headers, body);
}

function isSuccess(code: unknown, successCode: number | undefined): boolean {
  return successCode === undefined ? code === 0 || code === 200 : code === successCode;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function asApiError(error: unknown): ApiError {
  return isApiError(error) ? error : apiError({ status: 0 }, error);
}
