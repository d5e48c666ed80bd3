import { appError } from '../../http/errors.ts';
import { type Session, sessionHash } from '../session/session.ts';
import type { AuthParts } from './parts.ts';

/**
 * Tells the user service that a session is over (specification section 4). A refresh token it no longer knows is as good.
 * @throws AppError UPSTREAM_* when it could not be told
 */
export async function signOut(
  { userService }: Pick<AuthParts, 'userService'>,
  session: Session,
): Promise<void> {
  const answer = await userService.call('logout', { bearer: session.refresh_token });
  if (answer.ok || answer.status === 401) return;
  throw appError('UPSTREAM_INVALID', { cause: new Error(`logout answered ${answer.status}`) });
}

/** The same where nobody waits for it: a session that another one has replaced. */
export async function endAtUserService(
  parts: Pick<AuthParts, 'userService' | 'log'>,
  session: Session,
): Promise<void> {
  try {
    await signOut(parts, session);
  } catch (error) {
    parts.log.warn(
      { err: error, session: sessionHash(session) },
      'replaced session not ended at the user service',
    );
  }
}
