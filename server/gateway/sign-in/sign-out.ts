import { type Session, sessionHash } from '../session/session.ts';
import type { AuthParts } from './parts.ts';

/** Ends a session's tokens where nobody waits for it: another session has replaced it, or cookies cannot hold it. */
export async function endElsewhere(
  { provider, log }: Pick<AuthParts, 'provider' | 'log'>,
  session: Session,
): Promise<void> {
  try {
    await provider.signOut(session);
  } catch (error) {
    log.warn({ err: error, session: sessionHash(session) }, 'session not ended at the sign-in service');
  }
}
