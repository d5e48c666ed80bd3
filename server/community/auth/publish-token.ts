import { createHash, randomBytes } from 'node:crypto';
import { ROLE_USER } from '../../../shared/constants.ts';
import { appError } from '../../http/errors.ts';
import type { Db } from '../schema.ts';
import { endTokens, findLiveToken, noteTokenUse } from '../tokens/store.ts';
import { type Caller, mayPublish, type Publishers } from './caller.ts';
import type { OwnerRights } from './owner-rights.ts';
import { tokenInvalid } from './token.ts';

export const PUBLISH_TOKEN_PREFIX = 'psq_';
const SECRET_BYTES = 32;
const PUBLISH_TOKEN = /^psq_[\w-]{43}$/;
/** First characters that are kept to tell tokens apart. */
const HINT_LENGTH = 8;
/** How often the use of a token is written down, milliseconds. */
const NOTE_EVERY = 60_000;

/** A secret of 256 random bits, and what is kept of it. */
export function issuePublishToken(): { secret: string; hash: Buffer; hint: string } {
  const secret = PUBLISH_TOKEN_PREFIX + randomBytes(SECRET_BYTES).toString('base64url');
  return { secret, hash: hashOf(secret), hint: secret.slice(0, HINT_LENGTH) };
}

/**
 * Turns a publish token into its caller: its owner with the rights of a general user, whatever their role, because a
 * command line is to publish and nothing else. The owner must still be allowed to publish, as of a minute ago at most.
 * @throws TOKEN_INVALID for one that is unknown, expired, revoked or has ended with its owner's rights; FORBIDDEN when
 *   its owner may not publish; OWNER_NOT_SEEN, SERVICE_UNAVAILABLE when it is not known whether they may
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
  if (!mayPublish({ role }, publishers)) throw appError('FORBIDDEN');
  if (last_used_at === null || at.getTime() - last_used_at.getTime() >= NOTE_EVERY) {
    await noteTokenUse(db, id, at, new Date(at.getTime() - NOTE_EVERY));
  }
  return { user_id, nick_name, avatar_url, role: ROLE_USER, token: { plugin_key } };
}

/** The secret has the strength of a key, so a fast hash does; looking it up by its hash takes the same work for all. */
function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
