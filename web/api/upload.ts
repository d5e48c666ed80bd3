import { COMMUNITY_TIMEOUT } from '../../shared/constants.ts';
import type { Operation } from '../../shared/contract.ts';
import type { ErrorDetail } from '../../shared/errors.ts';
import { noteAnswered, noteUnanswered } from '../loading/connection.ts';
import { apiError } from './api-error.ts';
import type { Cancelled, Payload } from './call.ts';
import type { DataFor } from './client.ts';
import { multipartForm } from './multipart-form.ts';
import { requestOf, unwrap } from './transport.ts';
import { pageLanguage, wireOperation } from './wire.ts';

export type UploadOptions = {
  signal?: AbortSignal | undefined;
  /** Called while the body is sent; both in bytes, of the whole body. */
  onProgress?: ((sentBytes: number, totalBytes: number) => void) | undefined;
  /** Query of the URL, for operations that take one beside their form. */
  query?: Readonly<Record<string, string | number>>;
};

/**
 * Sends an operation with files and reports its progress. Headers, errors and cancellation are those of `call`. Nothing
 * is sent when a file can't be read any more; the error's details name its field.
 * @throws ApiError
 */
export function upload<O extends Operation>(
  operation: O,
  payload: Payload,
  options?: UploadOptions,
): Promise<DataFor<O> | Cancelled>;
export async function upload(
  operation: Operation,
  payload: Payload,
  options: UploadOptions = {},
): Promise<unknown> {
  const wire = wireOperation(operation);
  const { path, init } = await requestOf(
    { ...wire, in: 'body' },
    inPath(payload, wire.params),
    location.pathname,
  );
  const rest = Object.entries(payload).filter(([key]) => !wire.params.includes(key));
  const details = (await Promise.all(rest.flatMap(filesOf).map(unreadable))).flat();
  if (details.length > 0) throw apiError({ status: 0, details });
  const { status, ...answer } = await send({
    method: wire.method,
    address: path + queryString(options.query),
    headers: new Headers(init.headers),
    body: multipartForm(Object.fromEntries(rest)),
    options,
  });
  if (status === 'cancelled') return { cancelled: true, message: 'canceled' } satisfies Cancelled;
  return unwrap(wire, { status, ...answer }, pageLanguage());
}

const filesOf = ([key, value]: [string, unknown]): [string, File][] =>
  [value].flat().flatMap((file) => (file instanceof File ? [[key, file]] : []));

/** Chromium reports a deleted file as a network error, and Firefox waits forever. */
async function unreadable([key, file]: [string, File]): Promise<ErrorDetail[]> {
  const problem = { pointer: `/${key}`, code: 'FILE_UNREADABLE', message: `${file.name} cannot be read.` };
  const start = file.slice(0, 1).arrayBuffer();
  return start.then(
    () => [],
    () => [problem],
  );
}

type Answer = { status: number | 'cancelled'; headers: Headers; text: string };

type Sending = { method: string; address: string; headers: Headers; body: FormData; options: UploadOptions };

/** XMLHttpRequest, because `fetch` doesn't report upload progress. */
function send({ method, address, headers, body, options: { signal, onProgress } }: Sending): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const stop = (): void => request.abort();
    request.open(method, address);
    request.timeout = COMMUNITY_TIMEOUT;
    headers.delete('content-type');
    for (const [name, value] of headers) request.setRequestHeader(name, value);
    request.setRequestHeader('cache-control', 'no-cache');
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(loaded, total);
    request.onload = () => {
      noteAnswered();
      resolve({ status: request.status, headers: answerHeaders(request), text: request.responseText });
    };
    request.onerror = () => {
      noteUnanswered();
      reject(apiError({ status: 0 }));
    };
    request.ontimeout = () => reject(apiError({ status: 0 }));
    request.onabort = () => resolve({ status: 'cancelled', headers: new Headers(), text: '' });
    request.onloadend = () => signal?.removeEventListener('abort', stop);
    if (signal?.aborted) return resolve({ status: 'cancelled', headers: new Headers(), text: '' });
    signal?.addEventListener('abort', stop, { once: true });
    request.send(body);
  });
}

function answerHeaders(request: XMLHttpRequest): Headers {
  const retryAfter = request.getResponseHeader('retry-after');
  return new Headers(retryAfter === null ? {} : { 'retry-after': retryAfter });
}

function inPath(payload: Payload, params: readonly string[]): Payload {
  return Object.fromEntries(Object.entries(payload).filter(([key]) => params.includes(key)));
}

function queryString(query: UploadOptions['query']): string {
  if (!query) return '';
  return `?${new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]))}`;
}
