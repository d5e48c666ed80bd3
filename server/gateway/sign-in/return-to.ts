import { BASE_PATH, BIND_PATH, LOGIN_PATH, VERIFY_PATH } from '../../../shared/constants.ts';

/** Characters that an address of another site may have. */
const URL_LENGTH = 2048;

/** Decoding rounds after which an address is taken to be an attempt to hide something. */
const MAX_DECODINGS = 3;

/**
 * Where users go after signing in: a path of this site with query and hash, in the form the URL standard gives it.
 * Anything that a browser, a proxy or a second decoding could read as another origin becomes the marketplace's home
 * (requirement 10).
 */
export function returnPath(wanted: string | undefined, publicUrl: string): string {
  if (wanted === undefined || !isPlainPath(wanted) || !URL.canParse(wanted, publicUrl)) return BASE_PATH;
  const { origin, pathname, search, hash } = new URL(wanted, publicUrl);
  if (origin !== new URL(publicUrl).origin || !isPlainPath(pathname)) return BASE_PATH;
  return isPage(pathname) ? pathname + search + hash : BASE_PATH;
}

/** Starts with exactly one slash, and still does however often it is decoded. */
function isPlainPath(value: string): boolean {
  let text = value.split(/[?#]/, 1)[0] ?? '';
  for (let round = 0; round < MAX_DECODINGS; round += 1) {
    if (!text.startsWith('/') || text.startsWith('//') || /[\\\s]|\p{Cc}|\p{Cf}/u.test(text)) return false;
    const decoded = decode(text);
    if (decoded === undefined) return false;
    if (decoded === text) return true;
    text = decoded;
  }
  return false;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** The gateway's own calls and the sign-in page are no places to return to: users would go in circles. Binding and proving an address need a session. */
function isPage(pathname: string): boolean {
  const path = decode(pathname)?.toLowerCase() ?? '';
  if (path === BIND_PATH || path === VERIFY_PATH) return true;
  return !path.startsWith('/api/') && path !== LOGIN_PATH && !path.startsWith(`${LOGIN_PATH}/`);
}

/** An absolute http(s) address without credentials, in the form the URL standard gives it; null for anything else. */
export function webAddress(value: unknown): string | null {
  if (
    typeof value !== 'string' ||
    value.length > URL_LENGTH ||
    !/^https?:\/\/[^\s\\\p{Cc}\p{Cf}]+$/iu.test(value)
  ) {
    return null;
  }
  const url = URL.canParse(value) ? new URL(value) : undefined;
  return url && url.username === '' && url.password === '' ? url.href : null;
}
