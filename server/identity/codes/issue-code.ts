import type { LoginMethod } from '../../../shared/entities/user.ts';
import { CODE_LIFETIME } from '../lifetimes.ts';
import type { IdentityDb } from '../schema.ts';
import { newSecret, type Random, secretHash } from '../secret.ts';
import { insertCode } from './store.ts';

/** How a user has signed in: the method, and which of the deployment's it was. */
export type By = { method: LoginMethod; source: string | null };

/** What a code must come back with; null asks for nothing. */
type BoundTo = { redirectUri: string | null; codeChallenge: string | null };

/**
 * Issues a one-time code, good for 60 seconds, that can be exchanged for a session of this account. `authenticatedAt`:
 * when its user proved who they are, if that was not just now.
 */
export async function issueCode(
  { db, random, now }: { db: IdentityDb; random: Random; now: () => number },
  {
    userId,
    method,
    source,
    redirectUri,
    codeChallenge,
    authenticatedAt,
  }: By & BoundTo & { userId: number; authenticatedAt?: Date | null },
): Promise<string> {
  const code = newSecret(random);
  const at = new Date(now());
  await insertCode(db, {
    code_hash: secretHash(code),
    user_id: userId,
    login_method: method,
    source,
    redirect_uri: redirectUri,
    code_challenge: codeChallenge,
    created_at: at,
    authenticated_at: authenticatedAt === undefined ? at : authenticatedAt,
    expires_at: new Date(at.getTime() + CODE_LIFETIME),
  });
  return code;
}
