import { createHash, randomBytes } from 'node:crypto';
import { ROLE_USER } from '../../../../shared/constants.ts';
import { tokenInvalid } from '../../../http/authentication.ts';
import { appError } from '../../../http/errors.ts';
import type { Db } from '../../schema.ts';
import { canPublish, type Publishers } from '../policy.ts';
import type { Caller } from './caller.ts';
import type { OwnerRights } from './owner-rights.ts';
import { endTokens, findLiveToken, updateTokenUse } from './publish-token-store.ts';

export const PUBLISH_TOKEN_PREFIX = 'psq_';
const SECRET_BYTES = 32;
const PUBLISH_TOKEN = /^psq_[\w-]{43}$/;
/** Stored first characters, by which users recognize a token. */
const HINT_LENGTH = 8;
/** Milliseconds between two updates of a token's last use. */
const LAST_USE_INTERVAL = 60_000;

/** Creates a secret of 256 random bits, with the hash and hint to store. */
export function issuePublishToken(): { secret: string; hash: Buffer; hint: string } {
  const secret = PUBLISH_TOKEN_PREFIX + randomBytes(SECRET_BYTES).toString('base64url');
  return { secret, hash: hashOf(secret), hint: secret.slice(0, HINT_LENGTH) };
}

/**
 * Authenticates a publish token: its caller is the owner with the rights of a general user, whatever their role, since
 * tokens are only for publishing. The owner's right to publish is at most a minute old.
 * @throws TOKEN_INVALID for an unknown, expired, revoked or ended token; FORBIDDEN if its owner may not publish;
 * OWNER_NOT_SEEN, SERVICE_UNAVAILABLE if that is unknown
 */
export async function readPublishToken(
  db: Db,
  secret: string,
  { publishers, rights, now }: { publishers: Publishers; rights: OwnerRights; now: () => number },
): Promise<Caller> {
  if (!PUBLISH_TOKEN.test(secret)) throw tokenInvalid();
  const at = new Date(now());
  const found = await findLiveToken(db, hashOf(secret), at);
  if (!found) throw tokenInvalid();
  const { id, plugin_key, last_used_at, user_id, nick_name, avatar_url } = found;
  const role = await rights.roleOf(found);
  if (role === null) {
    await endTokens(db, [id], at);
    throw tokenInvalid();
  }
  if (!canPublish({ role }, publishers)) throw appError('FORBIDDEN');
  if (last_used_at === null || at.getTime() - last_used_at.getTime() >= LAST_USE_INTERVAL) {
    await updateTokenUse(db, id, at, new Date(at.getTime() - LAST_USE_INTERVAL));
  }
  return { user_id, nick_name, avatar_url, role: ROLE_USER, token: { plugin_key } };
}

/** The secret is random, so a fast hash is enough; a lookup by hash takes constant time. */
function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
