import { CALLBACK_PATH } from '../../../shared/constants.ts';
import { type By, issueCode } from '../codes/issue-code.ts';
import type { IdentityContext } from '../context.ts';

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
