import { appError } from '../../http/errors.ts';

/** Spaces, controls, backslashes and anything beyond ASCII are read differently by different parsers. */
const AMBIGUOUS = /[^\x21-\x7e]|\\/;

/**
 * The address the sign-in page may return to: on the site's own origin, compared as text before it is parsed
 * (RFC 9700 section 4.1), without a fragment.
 * @throws REDIRECT_URI_REFUSED
 */
export function acceptedRedirectUri(text: string, publicUrl: string): URL {
  const isOurs = text.startsWith(`${publicUrl}/`) && !AMBIGUOUS.test(text) && !text.includes('#');
  const url = isOurs && URL.canParse(text) ? new URL(text) : undefined;
  if (!url || url.origin !== publicUrl || url.username !== '' || url.password !== '') {
    throw appError('REDIRECT_URI_REFUSED');
  }
  return url;
}
