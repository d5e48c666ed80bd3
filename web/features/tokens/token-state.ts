import type { PublishToken } from '../../../shared/entities/review.ts';

export type TokenState = 'active' | 'expired' | 'revoked';

/** Whether a token still works at `now` (milliseconds since 1970). */
export function tokenState({ expires_at, revoked_at }: PublishToken, now: number): TokenState {
  if (revoked_at !== null) return 'revoked';
  return Date.parse(expires_at) <= now ? 'expired' : 'active';
}
