import { randomUUID } from 'node:crypto';
import type { By } from '../codes/issue-code.ts';
import { SESSION_LIFETIME } from '../lifetimes.ts';
import type { IdentityDb } from '../schema.ts';
import { newSecret, type Random, secretHash } from '../secret.ts';
import type { ClientLabel } from './client-label.ts';
import { insertRefreshToken, insertSession, replaceTokens, type Session } from './store.ts';

type Context = { random: Random; now: () => number };

/** Whose session begins, by what, and when they proved who they are. */
type Begun = By & { userId: number; authenticatedAt: Date | null; client: ClientLabel };

/** Begins a session; its end is fixed from the start. */
export async function startSession(
  db: IdentityDb,
  { now }: Context,
  { userId, method, source, authenticatedAt, client }: Begun,
): Promise<Session> {
  const session = {
    sid: randomUUID(),
    user_id: userId,
    login_method: method,
    source,
    created_at: new Date(now()),
    authenticated_at: authenticatedAt,
    expires_at: new Date(now() + SESSION_LIFETIME),
    revoked_at: null,
    ...client,
    last_active_at: new Date(now()),
  };
  await insertSession(db, session);
  return session;
}

/** A refresh token that is good until the session ends. Earlier ones of the session soon run out. */
export async function issueRefreshToken(
  db: IdentityDb,
  { random, now }: Context,
  session: Session,
): Promise<string> {
  await replaceTokens(db, session.sid, new Date(now()));
  const token = newSecret(random);
  await insertRefreshToken(db, {
    token_hash: secretHash(token),
    sid: session.sid,
    created_at: new Date(now()),
    expires_at: session.expires_at,
  });
  return token;
}
