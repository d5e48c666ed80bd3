import { PAGE_PATH_HEADER, REQUESTED_WITH, REQUESTED_WITH_HEADER } from '../../shared/constants.ts';
import type { Operation } from '../../shared/contract.ts';
import type { WireOperation } from './wire-operation.ts';

export type Payload = Readonly<Record<string, unknown>>;

/**
 * Address, method, headers and body of a call: path parameters first, the rest as query or body (section 7). What makes
 * forms is loaded with the first: visitors send none.
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
    [REQUESTED_WITH_HEADER]: REQUESTED_WITH,
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
    const { multipartForm } = await import('./multipart-form.ts');
    return { path, init: { ...init, body: multipartForm(Object.fromEntries(rest)) } };
  }
  headers['content-type'] = 'application/json';
  return { path, init: { ...init, body: JSON.stringify(Object.fromEntries(rest)) } };
}

function queryString(entries: [string, unknown][]): string {
  const query = new URLSearchParams(entries.map(([key, value]) => [key, String(value)])).toString();
  return query === '' ? '' : `?${query}`;
}

/**
 * Reads an operation of the contract; resolves with Cancelled where nobody waits for the answer any more.
 * @throws ApiError
 */
export type ReadOperation = (operation: Operation, payload: Payload, signal: AbortSignal) => Promise<unknown>;
