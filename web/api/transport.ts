import { COMMUNITY_TIMEOUT } from '../../shared/constants.ts';
import type { Language } from '../../shared/languages.ts';
import { isSuccess, tolerant } from '../../shared/tolerant.ts';
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
  language: () => Language;
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
export function createSend({
  fetch,
  origin,
  pagePath,
  language,
  timeout = COMMUNITY_TIMEOUT,
}: Environment): Send {
  return async (operation, payload, { signal } = {}) => {
    const limit = AbortSignal.timeout(timeout);
    try {
      const { path, init } = await requestOf(operation, payload, pagePath());
      const response = await fetch(`${origin}${path}`, {
        ...init,
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
      });
      const answer = { status: response.status, headers: response.headers, text: await response.text() };
      return unwrap(operation, answer, language());
    } catch (error) {
      if (signal?.aborted) return { cancelled: true, message: 'canceled' } satisfies Cancelled;
      throw asApiError(error);
    }
  };
}

type Answer = { status: number; headers: Headers; text: string };

/**
 * The data of an envelope, made to fit the contract: success is code 0 or 200 with data present (specification section 4),
 * or `successCode` alone where a call has one. What a call has done is done, also where a foreign service tells nothing
 * usable of it: then its data is empty.
 * @throws ApiError UPSTREAM_INVALID for data read that cannot be used
 */
export function unwrap(
  { method, successCode, data: shape }: WireOperation,
  { status, headers, text }: Answer,
  language: Language,
): unknown {
  const body = parseJson(text);
  const fine = status >= 200 && status < 300 && typeof body === 'object' && body !== null;
  if (!fine || !('code' in body) || !isSuccess(body.code, successCode))
    throw errorOfAnswer(status, headers, body);
  const data = ('data' in body ? body.data : undefined) ?? (method === 'GET' ? undefined : {});
  if (data === undefined) throw errorOfAnswer(status, headers, body);
  const found = shape ? tolerant(shape, data, language) : data;
  if (found === undefined && method === 'GET') throw apiError({ status, reason: 'UPSTREAM_INVALID' });
  return found ?? {};
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
