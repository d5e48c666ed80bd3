import type { SignedInUser } from '../../../shared/user-service.ts';
import { userInfoOf } from '../accounts/user-info.ts';
import type { IdentityContext } from '../context.ts';
import { signAccessToken } from './access-token.ts';
import type { Caller } from './caller.ts';

/** The sign-in answer: user info, both tokens, and what the wire cannot tell from an opaque token. */
export async function signedInUser(
  identity: IdentityContext,
  { user, session }: Caller,
  refreshToken: string,
): Promise<SignedInUser> {
  return {
    ...userInfoOf(user),
    access_token: await signAccessToken(identity, user, session),
    refresh_token: refreshToken,
    refresh_expires_in: Math.floor((session.expires_at.getTime() - identity.now()) / 1000),
    login_method: session.login_method,
  };
}
