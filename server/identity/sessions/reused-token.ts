import type { FastifyBaseLogger } from 'fastify';
import type { IdentityContext } from '../context.ts';
import { REPLACED_TOKEN_GRACE } from '../lifetimes.ts';
import { sendBackchannelLogout } from './backchannel-logout.ts';
import { noteMisuse, revokeSession, type SessionOfToken } from './store.ts';

/** Why a refresh token is good no more although its time is not over; undefined while it is. */
export function whyReused(token: SessionOfToken, now: number): 'signed_out' | 'replaced' | undefined {
  if (token.revoked_at !== null) return 'signed_out';
  const isReplaced = token.replaced_at !== null && token.replaced_at.getTime() + REPLACED_TOKEN_GRACE <= now;
  return isReplaced ? 'replaced' : undefined;
}

/**
 * A refresh token is used that nobody honest has any more. Whether the thief or the user came second cannot be told,
 * so the session ends for both (RFC 9700 section 4.14.2). Each token is logged once, however often it is tried.
 */
export async function answerReuse(
  identity: IdentityContext,
  { tokenHash, token, reason }: { tokenHash: Buffer; token: SessionOfToken; reason: string },
  log: FastifyBaseLogger,
): Promise<void> {
  const at = new Date(identity.now());
  const { user_id, sid } = token;
  if (await noteMisuse(identity.db, tokenHash, at)) {
    log.warn({ event: 'refresh_token_reuse', reason, user_id, sid }, 'security event');
  }
  if (await revokeSession(identity.db, sid, at))
    await sendBackchannelLogout(identity, { userId: user_id, sids: [sid] }, log);
}
