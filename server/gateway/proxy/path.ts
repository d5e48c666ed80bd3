/** Path of a request target, without its query. */
export function pathOf(target: string): string {
  const end = target.indexOf('?');
  return end === -1 ? target : target.slice(0, end);
}

/** Query of a request target with its question mark, or nothing. */
export function queryOf(target: string): string {
  const start = target.indexOf('?');
  return start === -1 ? '' : target.slice(start);
}

/** Characters that need no second look: the whole of most paths. */
const PLAIN = /^(?:\/[\w.~-]+)+\/?$/;

/** Anything outside visible ASCII, a fragment, a backslash: no browser sends these in a path. */
const FORBIDDEN = /[^\x21-\x7e]|[#\\]/;

/** In a decoded segment: separators, control characters, and a percent sign that starts another escape. */
const FORBIDDEN_DECODED = /[/\\\p{Cc}]|%[0-9a-f]{2}/iu;

/** A segment that is one of dots, or none, to a service that leaves out path parameters (RFC 3986 section 3.3) or blanks. */
const DOTS = /^\.{0,2}(?:[;\s]|$)/;

/**
 * The decoded segments of a request target's path, on which every decision is taken; undefined when the path could mean
 * one thing here and another upstream (requirement 24): absolute form, empty or dot segments, encoded separators,
 * control characters, double encoding, broken UTF-8. A closing slash gives an empty last segment.
 */
export function decodedSegments(target: string): string[] | undefined {
  if (FORBIDDEN.test(target)) return undefined;
  const path = pathOf(target);
  if (!path.startsWith('/')) return undefined;
  const raw = path.slice(1).split('/');
  const segments = PLAIN.test(path) ? raw : decodeAll(raw);
  const isSound = segments?.every(
    (segment, index) => !DOTS.test(segment) || (segment === '' && index === segments.length - 1),
  );
  return isSound ? segments : undefined;
}

function decodeAll(raw: string[]): string[] | undefined {
  try {
    const segments = raw.map(decodeURIComponent);
    return segments.some((segment) => FORBIDDEN_DECODED.test(segment)) ? undefined : segments;
  } catch {
    return undefined;
  }
}

/** The one spelling of a path that goes upstream, whatever spelling came in. */
export function encodedPath(segments: readonly string[]): string {
  return `/${segments.map(encodeURIComponent).join('/')}`;
}
