import type { FastifyCompressOptions } from '@fastify/compress';
import type { Dispatcher } from 'undici';
import { appError } from '../../http/errors.ts';
import type { ProxyCall } from './access.ts';
import { createTokenMask, type TokenMask, wantedIn } from './tokens.ts';

export type UpstreamHeaders = Dispatcher.ResponseData['headers'];

/** What of an upstream's headers a browser may see (requirement 26); everything else is left behind. */
const PASSED = [
  'accept-ranges',
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-length',
  'content-range',
  'content-type',
  'etag',
  'expires',
  'last-modified',
  'retry-after',
] as const;

/**
 * Headers of an upstream's response that pass. A redirect passes when it stays on this site. Looked at before the library
 * gets them: what its `rewriteHeaders` throws ends the process.
 * @throws AppError UPSTREAM_INVALID for a Location elsewhere, and for a status that there is none of
 */
export function responseHeaders(
  { request, isFile }: ProxyCall,
  status: number,
  headers: UpstreamHeaders,
  mask: TokenMask | undefined,
): Record<string, string> {
  if (status > 599) throw unusable(`status ${status}`);
  const passed: Record<string, string> = {};
  for (const name of PASSED) {
    const value = headers[name];
    if (typeof value === 'string') passed[name] = mask ? mask.text(value) : value;
  }
  const { location } = headers;
  if (location !== undefined) {
    const own = ownLocation(location, request.server.gateway.publicUrl.origin);
    passed.location = mask ? mask.text(own) : own;
  }
  if (request.routeOptions.config.route?.compress) asCompressible(passed, request.method);
  if (request.session && !isFile) passed['cache-control'] = 'no-store';
  return passed;
}

/** One validator stands for every encoding of a response, and nobody knows the length of one that has not been made. */
function asCompressible(headers: Record<string, string>, method: string): void {
  if (headers.etag?.startsWith('"')) headers.etag = `W/${headers.etag}`;
  if (method === 'HEAD') delete headers['content-length'];
}

function ownLocation(location: string | string[], publicOrigin: string): string {
  const isOwn =
    typeof location === 'string' &&
    URL.canParse(location, publicOrigin) &&
    new URL(location, publicOrigin).origin === publicOrigin;
  if (!isOwn) throw unusable('redirected to another origin');
  const { pathname, search, hash } = new URL(location, publicOrigin);
  return pathname.startsWith('//')
    ? `/${pathname.replace(/^\/+/, '')}${search}${hash}`
    : pathname + search + hash;
}

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

/** Of responses on their way through; those that come compressed pass as they are, and no request body is unpacked. */
export const COMPRESSION: FastifyCompressOptions = { globalDecompression: false, encodings: ['br', 'gzip'] };

/** Types whose bytes are no text; everything else might be read as one. */
const BINARY =
  /^(?:(?:image|audio|video|font)\/(?!svg)|application\/(?:pdf|wasm|zip|gzip|x-gzip|zstd|x-7z-compressed|x-tar)\b)/i;
/** Says nothing of what it is: a text, or a file that is fetched part by part. */
const UNNAMED = /^application\/octet-stream\b/i;

/** Whether a body may be read as text. */
export function isText(headers: UpstreamHeaders): boolean {
  return !BINARY.test(typeOf(headers));
}

export function isJson(headers: UpstreamHeaders): boolean {
  return JSON_TYPE.test(typeOf(headers));
}

/**
 * Refuses a text in which a token could not be found: one that is compressed though nobody asked for it, or a part of one.
 * @throws AppError UPSTREAM_INVALID
 */
function refuseUnreadable(status: number, headers: UpstreamHeaders): void {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') throw unusable('an answer encoded unasked');
  if (status === 206 && !UNNAMED.test(typeOf(headers))) throw unusable('a part of a text');
}

function typeOf(headers: UpstreamHeaders): string {
  return String(headers['content-type'] ?? '');
}

function unusable(what: string) {
  return appError('UPSTREAM_INVALID', { cause: new Error(what) });
}

/**
 * What takes tokens out of a response, where there are any to look for.
 * @throws AppError UPSTREAM_INVALID for a text that cannot be looked through
 */
export function maskFor(call: ProxyCall, status: number, headers: UpstreamHeaders): TokenMask | undefined {
  const wanted = wantedIn(call);
  if (!wanted) return undefined;
  const readsEscapes = isText(headers);
  if (readsEscapes && call.request.method !== 'HEAD') refuseUnreadable(status, headers);
  return createTokenMask(wanted, { readsEscapes });
}
