import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyCompressOptions } from '@fastify/compress';
import type { Dispatcher } from 'undici';
import { toolCookies } from '../../../shared/user-service.ts';
import { boundTokenIn } from '../../http/authentication.ts';
import { appError } from '../../http/errors.ts';
import { chosenCookies } from '../oauth/cookies.ts';
import { forwardedHeaders, type Upstream } from '../upstream.ts';
import type { ProxyCall } from './access.ts';
import { createTokenMask, type TokenMask, tokenPatternsOf } from './tokens.ts';

export type UpstreamHeaders = Dispatcher.ResponseData['headers'];

/** Client headers that are forwarded to upstreams (R 10.3); all others are dropped. */
const REQUEST_HEADERS = [
  'accept',
  'accept-encoding',
  'content-type',
  'content-encoding',
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
  'if-range',
  'range',
  'user-agent',
] as const;

/**
 * Headers of an upstream request. The gateway's own headers (bearer, language, forwarding, trace) are set last, so that
 * a client can neither replace nor remove them.
 * @param headers the client's, without those that its Connection header names (RFC 9110 section 7.6.1)
 */
export function requestHeaders(
  call: ProxyCall,
  headers: IncomingHttpHeaders,
  upstream: Upstream,
): Record<string, string> {
  const { request } = call;
  const passed: Record<string, string> = {};
  for (const name of REQUEST_HEADERS) {
    const value = headers[name];
    if (typeof value === 'string') passed[name] = value;
  }
  // The gateway searches the response, so it must not be compressed.
  if (call.answersUser || tokenPatternsOf(call)) passed['accept-encoding'] = 'identity';
  const length = headers['content-length'];
  if (request.body instanceof Readable && length !== undefined) passed['content-length'] = length;
  const { cookies, server } = request;
  const devices = upstream.name === 'identity' ? server.knownDevices.headers(cookies) : {};
  const tool = request.contractRoute?.toolRequest
    ? chosenCookies(cookies, [toolCookies(server.gateway.publicUrl.href).interaction])
    : {};
  return Object.assign(passed, forwardedHeaders(request), devices, tool, authorization(request, upstream));
}

/** The token of an upstream request with its proof, or the gateway's own credential, if any. */
export function authorization(
  request: ProxyCall['request'],
  { credential }: Upstream,
): { authorization?: string; dpop?: string } {
  const { session, bearerToken } = request;
  if (session) return { authorization: `Bearer ${session.access_token}` };
  if (bearerToken !== undefined)
    return boundTokenIn(request) === undefined
      ? { authorization: `Bearer ${bearerToken}` }
      : { authorization: `DPoP ${bearerToken}`, ...proofIn(request) };
  return credential === undefined ? {} : { authorization: credential };
}

/** The tool's proof that it has the key of its token (RFC 9449 section 4.1). */
function proofIn({ headers: { dpop } }: ProxyCall['request']): { dpop?: string } {
  return typeof dpop === 'string' ? { dpop } : {};
}

/** Upstream headers that are returned to the browser (R 10.4); all others are dropped. */
const RESPONSE_HEADERS = [
  'accept-ranges',
  'cache-control',
  'content-digest',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-length',
  'content-range',
  'content-type',
  'etag',
  'expires',
  'last-modified',
  'repr-digest',
  'retry-after',
] as const;

/**
 * Filters the headers of an upstream response; redirects must stay on this site. Not in the library's `rewriteHeaders`,
 * where an exception would end the process.
 * @throws AppError UPSTREAM_INVALID for a Location on another origin or an unknown status
 */
export function responseHeaders(
  { request, isFile }: ProxyCall,
  status: number,
  headers: UpstreamHeaders,
  mask: TokenMask | undefined,
): Record<string, string> {
  if (status > 599) throw invalidResponse(`status ${status}`);
  const passed: Record<string, string> = {};
  for (const name of RESPONSE_HEADERS) {
    const value = headers[name];
    if (typeof value === 'string') passed[name] = mask ? mask.text(value) : value;
  }
  // A browser would ask its user for a password.
  const challenge = headers['www-authenticate'];
  if (request.bearerToken !== undefined && typeof challenge === 'string')
    passed['www-authenticate'] = challenge;
  const { location } = headers;
  if (location !== undefined) {
    const own = ownLocation(location, request.server.gateway.publicUrl.origin);
    passed.location = mask ? mask.text(own) : own;
  }
  if (request.contractRoute?.compress) allowCompression(passed, request.method);
  if ((request.session || request.sessionFailure) && !isFile) passed['cache-control'] = 'no-store';
  return passed;
}

/** A strong ETag is valid for one encoding only, and HEAD cannot know the length of a compressed body. */
function allowCompression(headers: Record<string, string>, method: string): void {
  if (headers.etag?.startsWith('"')) headers.etag = `W/${headers.etag}`;
  if (method === 'HEAD') delete headers['content-length'];
}

function ownLocation(location: string | string[], publicOrigin: string): string {
  const isOwn =
    typeof location === 'string' &&
    URL.canParse(location, publicOrigin) &&
    new URL(location, publicOrigin).origin === publicOrigin;
  if (!isOwn) throw invalidResponse('redirect to another origin');
  const { pathname, search, hash } = new URL(location, publicOrigin);
  return pathname.startsWith('//')
    ? `/${pathname.replace(/^\/+/, '')}${search}${hash}`
    : pathname + search + hash;
}

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

/** For proxied responses. Compressed responses are not recompressed, request bodies are not decompressed. */
export const COMPRESSION: FastifyCompressOptions = { globalDecompression: false, encodings: ['br', 'gzip'] };

/** Binary types; all other types may be read as text. */
const BINARY =
  /^(?:(?:image|audio|video|font)\/(?!svg)|application\/(?:pdf|wasm|zip|gzip|x-gzip|zstd|x-7z-compressed|x-tar)\b)/i;
/** May be a text, or a file that is fetched in ranges. */
const UNNAMED = /^application\/octet-stream\b/i;

/** Whether a body may be read as text. */
export function isText(headers: UpstreamHeaders): boolean {
  return !BINARY.test(typeOf(headers));
}

export function isJson(headers: UpstreamHeaders): boolean {
  return JSON_TYPE.test(typeOf(headers));
}

/** @throws AppError UPSTREAM_INVALID for a text that cannot be searched for tokens: a compressed or a partial one */
function refuseUnreadable(status: number, headers: UpstreamHeaders): void {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') throw invalidResponse('unexpected content encoding');
  if (status === 206 && !UNNAMED.test(typeOf(headers))) throw invalidResponse('partial text');
}

function typeOf(headers: UpstreamHeaders): string {
  return String(headers['content-type'] ?? '');
}

function invalidResponse(reason: string) {
  return appError('UPSTREAM_INVALID', { cause: new Error(reason) });
}

/** The mask for the tokens of a call, if any. @throws AppError UPSTREAM_INVALID for an unsearchable text */
export function maskFor(call: ProxyCall, status: number, headers: UpstreamHeaders): TokenMask | undefined {
  const patterns = tokenPatternsOf(call);
  if (!patterns) return undefined;
  const readsEscapes = isText(headers);
  if (readsEscapes && call.request.method !== 'HEAD') refuseUnreadable(status, headers);
  return createTokenMask(patterns, { readsEscapes });
}
