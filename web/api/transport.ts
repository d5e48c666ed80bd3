import {
  COMMUNITY_TIMEOUT,
  PAGE_PATH_HEADER,
  REQUESTED_IN_TOOL,
  REQUESTED_WITH,
  REQUESTED_WITH_HEADER,
} from '../../shared/constants.ts';
import type { Language } from '../../shared/languages.ts';
import { isSuccess, tolerant } from '../../shared/tolerant.ts';
import { noteAnswered, noteUnanswered } from '../loading/connection.ts';
import { type ApiError, apiError, errorOfResponse, isApiError } from './api-error.ts';
import type { CallOptions, Cancelled, Payload } from './call.ts';
import { isInTool } from './in-tool.ts';
import { multipartForm } from './multipart-form.ts';
import type { WireOperation } from './wire-operation.ts';

export type Send = (operation: WireOperation, payload: Payload, options?: CallOptions) => Promise<unknown>;

type Environment = {
  fetch: typeof fetch;
  /** Prefix of every path: empty in the browser. */
  origin: string;
  pagePath: () => string;
  language: () => Language;
  /** Timeout of a call in milliseconds. */
  timeout?: number;
};

/**
 * Creates the function that sends operations and unwraps `{ code, message, data }` (R 14.4). It resolves with
 * the data, or with Cancelled when its signal was aborted.
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
      noteAnswered();
      return unwrap(operation, answer, language());
    } catch (error) {
      if (signal?.aborted) return { cancelled: true, message: 'canceled' } satisfies Cancelled;
      if (!isApiError(error)) noteUnanswered();
      throw asApiError(error);
    }
  };
}

type Answer = { status: number; headers: Headers; text: string };

/**
 * The data of an envelope, fitted to the contract: success is code 0 or 200 with data present
 * (R 3.6), or only `successCode` for an operation that has one. A write that succeeded stays a success even if a foreign
 * service returns no usable data: then the data is empty.
 * @throws ApiError UPSTREAM_INVALID for a read without usable data
 */
export function unwrap(
  { method, successCode, data: shape }: WireOperation,
  { status, headers, text }: Answer,
  language: Language,
): unknown {
  const body = parseJson(text);
  const fine = status >= 200 && status < 300 && typeof body === 'object' && body !== null;
  if (!fine || !('code' in body) || !isSuccess(body.code, successCode))
    throw errorOfResponse(status, headers, body);
  const data = ('data' in body ? body.data : undefined) ?? (method === 'GET' ? undefined : {});
  if (data === undefined) throw errorOfResponse(status, headers, body);
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

/**
 * URL, method, headers and body of a call: path parameters first, the rest as query or body (R 14.2).
 */
export async function requestOf(
  operation: WireOperation,
  payload: Payload,
  pagePath: string,
): Promise<{ path: string; init: RequestInit }> {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, key: string) =>
    encodeURIComponent(String(payload[key])),
  );
  const rest = Object.entries(payload).filter(
    ([key, value]) => value !== undefined && value !== null && !operation.params.includes(key),
  );
  const headers: Record<string, string> = {
    accept: 'application/json',
    [REQUESTED_WITH_HEADER]: isInTool() ? REQUESTED_IN_TOOL : REQUESTED_WITH,
    [PAGE_PATH_HEADER]: pagePath,
  };
  const init: RequestInit = {
    method: operation.method,
    headers,
    credentials: 'same-origin',
    cache: 'no-store',
    redirect: 'error',
  };
  if (operation.in === 'query') return { path: `${path}${queryString(rest)}`, init };
  if (operation.in === 'multipart') {
    return { path, init: { ...init, body: multipartForm(Object.fromEntries(rest)) } };
  }
  headers['content-type'] = 'application/json';
  return { path, init: { ...init, body: JSON.stringify(Object.fromEntries(rest)) } };
}

function queryString(entries: [string, unknown][]): string {
  const query = new URLSearchParams(entries.map(([key, value]) => [key, String(value)])).toString();
  return query === '' ? '' : `?${query}`;
}
