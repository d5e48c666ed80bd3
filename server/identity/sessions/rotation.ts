import { hkdfSync } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { tokenInvalid } from '../../http/authentication.ts';
import { ACTIVITY_INTERVAL } from '../lifetimes.ts';
import { secretHash } from '../secret.ts';
import { type Caller, endReusedToken, findActiveCaller, isLatest, reuseReason } from './caller.ts';
import { findSessionOfToken, partsOf, recordActivity, rotateToken, type TokenParts } from './store.ts';
import type { SessionContext } from './tokens.ts';

const SALT_BYTES = 32;

/**
 * Exchanges a refresh token for the next one (RFC 9700 section 2.2.2). The next one follows from the token and a stored
 * salt: within the grace period the same token gets the same successor, so that a lost answer can be repeated and
 * concurrent refreshes, also of several processes, agree; the database alone does not suffice to make it.
 * @throws TOKEN_INVALID; a use after the grace period ends the session
 */
export async function rotateRefreshToken(
  identity: SessionContext,
  token: string,
  log: FastifyBaseLogger,
): Promise<{ caller: Caller; refreshToken: string }> {
  const { db, now, random } = identity;
  const at = new Date(now());
  const presented = partsOf(token);
  const { family, serial } = presented;
  const outcome = await db.transaction().execute(async (trx) => {
    const found = await findSessionOfToken(trx, secretHash(family), at, { lock: true });
    if (!found) throw tokenInvalid();
    const reason = reuseReason(found, serial, now());
    if (reason) return { reused: { token: found, reason } };
    const caller = await findActiveCaller({ ...identity, db: trx }, found);
    const { rotation_salt } = found;
    if (rotation_salt && !isLatest(found, serial)) return { caller, salt: rotation_salt };
    const salt = random(SALT_BYTES);
    await rotateToken(trx, secretHash(family), {
      serialHash: secretHash(serialAfter(presented, salt)),
      formerSerialHash: found.serial_hash,
      salt,
      at,
    });
    return { caller, salt };
  });
  if (outcome.reused) {
    await endReusedToken(identity, { tokenHash: secretHash(family), ...outcome.reused }, log);
    throw tokenInvalid();
  }
  const { caller, salt } = outcome;
  await recordActivity(db, caller.session.sid, { at, since: new Date(now() - ACTIVITY_INTERVAL) });
  return { caller, refreshToken: `${family}.${serialAfter(presented, salt)}` };
}

function serialAfter({ family, serial }: TokenParts, salt: Buffer): string {
  return Buffer.from(
    hkdfSync('sha256', `${family}.${serial}`, salt, 'plugin-square refresh token', 32),
  ).toString('base64url');
}
