/** Path of a request target, without its query. */
export function pathOf(target: string): string {
  const end = target.indexOf('?');
  return end === -1 ? target : target.slice(0, end);
}

/** Query of a request target with its question mark; empty if there is none. */
export function queryOf(target: string): string {
  const start = target.indexOf('?');
  return start === -1 ? '' : target.slice(start);
}

/** A target that every check of paths refuses. */
const UNREADABLE = '/%00';

/**
 * The target of a request for the router, which answers by itself, without headers and pages, when it cannot decode a path:
 * such a one becomes a path that is refused as all bad ones are.
 */
export function readableTarget({ url = '/' }: { url?: string | undefined }): string {
  try {
    decodeURI(pathOf(url));
    return url;
  } catch {
    return UNREADABLE + queryOf(url);
  }
}

/** Most paths: they need no decoding. */
const PLAIN = /^(?:\/[\w.~-]+)+\/?$/;

/** Anything outside visible ASCII, a fragment, a backslash: browsers never send these in a path. */
const FORBIDDEN = /[^\x21-\x7e]|[#\\]/;

/** In a decoded segment: separators, control characters, and a percent sign that starts another escape. */
const FORBIDDEN_DECODED = /[/\\\p{Cc}]|%[0-9a-f]{2}/iu;

/** A dot segment or an empty one, also for a service that ignores path parameters (RFC 3986 section 3.3) or blanks. */
const DOTS = /^\.{0,2}(?:[;\s]|$)/;

/**
 * The decoded path segments of a request target; all decisions use them. Undefined if gateway and upstream could read
 * the path differently (R 10.2): absolute form, empty or dot segments, encoded separators, control characters,
 * double encoding, invalid UTF-8. A trailing slash gives an empty last segment.
 */
export function decodedSegments(target: string): string[] | undefined {
  if (FORBIDDEN.test(target)) return undefined;
  const path = pathOf(target);
  if (!path.startsWith('/')) return undefined;
  const raw = path.slice(1).split('/');
  const segments = PLAIN.test(path) ? raw : decodeAll(raw);
  const isValid = segments?.every(
    (segment, index) => !DOTS.test(segment) || (segment === '' && index === segments.length - 1),
  );
  return isValid ? segments : undefined;
}

function decodeAll(raw: string[]): string[] | undefined {
  try {
    const segments = raw.map(decodeURIComponent);
    return segments.some((segment) => FORBIDDEN_DECODED.test(segment)) ? undefined : segments;
  } catch {
    return undefined;
  }
}

/** The normalized path, as it is sent upstream. */
export function encodedPath(segments: readonly string[]): string {
  return `/${segments.map(encodeURIComponent).join('/')}`;
}
