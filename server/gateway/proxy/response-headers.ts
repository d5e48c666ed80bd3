import type { Dispatcher } from 'undici';
import { appError } from '../../http/errors.ts';

type Headers = Dispatcher.ResponseData['headers'];

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
 * Headers of an upstream's answer that pass. A redirect passes when it stays on this site.
 * @throws AppError UPSTREAM_INVALID for a Location elsewhere.
 */
export function passedHeaders(headers: Headers, publicOrigin: string): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const name of PASSED) {
    const value = headers[name];
    if (typeof value === 'string') passed[name] = value;
  }
  const location = headers.location;
  if (location !== undefined) passed.location = ownLocation(location, publicOrigin);
  return passed;
}

function ownLocation(location: string | string[], publicOrigin: string): string {
  const isOwn =
    typeof location === 'string' &&
    URL.canParse(location, publicOrigin) &&
    new URL(location, publicOrigin).origin === publicOrigin;
  if (!isOwn) throw appError('UPSTREAM_INVALID', { cause: new Error('redirected to another origin') });
  const { pathname, search, hash } = new URL(location, publicOrigin);
  return pathname.startsWith('//')
    ? `/${pathname.replace(/^\/+/, '')}${search}${hash}`
    : pathname + search + hash;
}
