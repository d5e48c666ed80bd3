import { CALLBACK_PATH } from '../../../shared/constants.ts';
import { appError } from '../../http/errors.ts';
import { issueCode } from '../codes/codes.ts';
import type { IdentityContext } from '../context.ts';
import type { By } from '../sessions/store.ts';

/** Spaces, controls, backslashes and anything beyond ASCII are read differently by different parsers. */
const AMBIGUOUS = /[^\x21-\x7e]|\\/;

/**
 * The address the sign-in page may return to: on the site's own origin, compared as text before it is parsed
 * (RFC 9700 section 4.1), without a fragment.
 * @throws REDIRECT_URI_EMPTY (specification section 5), REDIRECT_URI_REFUSED
 */
export function acceptedRedirectUri(text: string | undefined, publicUrl: string): URL {
  if (!text) throw appError('REDIRECT_URI_EMPTY');
  const isOurs = text.startsWith(`${publicUrl}/`) && !AMBIGUOUS.test(text) && !text.includes('#');
  const url = isOurs && URL.canParse(text) ? new URL(text) : undefined;
  if (!url || url.origin !== publicUrl || url.username !== '' || url.password !== '') {
    throw appError('REDIRECT_URI_REFUSED');
  }
  return url;
}

type Asked = {
  response_type?: string | undefined;
  code_challenge?: string | undefined;
  code_challenge_method?: string | undefined;
};

/**
 * The challenge that a code for this address is bound to (RFC 7636); null for an unbound one. No unbound one is issued
 * for the gateway's callback, which could not tell whose sign-in it is of.
 * @throws VALIDATION_FAILED
 */
export function codeChallengeOf(
  { response_type, code_challenge, code_challenge_method }: Asked,
  redirectUri: URL,
): string | null {
  if ((code_challenge === undefined) !== (code_challenge_method === undefined)) {
    throw refused('goes with code_challenge_method, and neither without the other');
  }
  if (code_challenge !== undefined) return code_challenge;
  const isForGateway = redirectUri.pathname === CALLBACK_PATH && response_type !== 'none';
  if (isForGateway) throw refused('is needed for a code to this redirect_uri');
  return null;
}

function refused(message: string) {
  return appError('VALIDATION_FAILED', { details: [{ pointer: '/code_challenge', message }] });
}

type SignedIn = By & {
  userId: number;
  redirectUri: URL;
  responseType: 'code' | 'none' | undefined;
  codeChallenge: string | null;
};

/**
 * Where the browser goes after a sign-in: back, with a one-time code unless `response_type` is none or nobody at that
 * address takes one away.
 */
export async function continueTo(
  identity: IdentityContext,
  signedIn: SignedIn,
): Promise<{ continue_to: string }> {
  const target = new URL(signedIn.redirectUri);
  target.searchParams.delete('code');
  if (signedIn.responseType !== 'none' && takesCode(target)) {
    const code = await issueCode(identity, {
      userId: signedIn.userId,
      method: signedIn.method,
      source: signedIn.source,
      redirectUri: target.href,
      codeChallenge: signedIn.codeChallenge,
    });
    target.searchParams.set('code', code);
  }
  return { continue_to: target.href };
}

/**
 * The gateway's callback takes a code, and pages do; a call does not, and `oauth2=1` has a page leave its `code` in the
 * address (specification section 4), which must be none of ours.
 */
function takesCode({ pathname, searchParams }: URL): boolean {
  if (pathname === CALLBACK_PATH) return true;
  const isCall = pathname.includes('%') || /^\/+api(?:\/|$)/i.test(pathname);
  return !isCall && !searchParams.getAll('oauth2').includes('1');
}
