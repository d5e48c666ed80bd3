import type { DataOf } from '../../../../shared/route.ts';
import type { signInRoutes } from '../../../../shared/routes/sign-in.ts';
import type { By } from '../../codes/issue-code.ts';
import type { IdentityContext } from '../../context.ts';
import { CHALLENGE_LIFETIME } from '../../lifetimes.ts';
import type { Account } from '../../schema.ts';
import { newSecret, secretHash } from '../../secret.ts';
import { isRequiredOf } from '../required.ts';
import { findSecondFactor } from '../store.ts';
import { encryptSecret, newSetUp } from '../totp.ts';
import { insertChallenge } from './store.ts';

/** A user who has proved to know the password, and how the sign-in began. */
export type Proved = By & {
  account: Account;
  source: string;
  redirectUri: URL;
  responseType: 'code' | 'none' | undefined;
  codeChallenge: string | null;
};

export type Challenge = NonNullable<DataOf<(typeof signInRoutes)['signIn']>['challenge']>;

/**
 * What is asked after the password: a code of the second factor, or to set one up where it is required. Undefined when
 * the password is enough. How the sign-in began is stored with it, so that it can lead nowhere else.
 */
export async function challengeFor(
  identity: IdentityContext,
  { account, method, source, redirectUri, responseType, codeChallenge }: Proved,
): Promise<Challenge | undefined> {
  const userId = account.user_id;
  const isOn = (await findSecondFactor(identity.db, userId)) !== undefined;
  if (!isOn && !isRequiredOf(identity, account)) return undefined;
  const kind = isOn ? 'code' : 'enrol';
  const setUp = isOn ? null : newSetUp(identity, account);
  const token = newSecret(identity.random);
  await insertChallenge(identity.db, {
    token_hash: secretHash(token),
    user_id: userId,
    kind,
    login_method: method,
    source,
    redirect_uri: redirectUri.href,
    response_type: responseType ?? null,
    code_challenge: codeChallenge,
    sealed_secret: setUp && encryptSecret(identity, userId, setUp.secret),
    created_at: new Date(identity.now()),
    expires_at: new Date(identity.now() + CHALLENGE_LIFETIME),
  });
  return { token, kind, set_up: setUp };
}
