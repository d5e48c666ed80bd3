import { RESET_PATH } from '../../../shared/constants.ts';
import type { DataOf } from '../../../shared/route.ts';
import type { passwordRoutes } from '../../../shared/routes/password.ts';
import { appError } from '../../http/errors.ts';
import type { IdentityContext } from '../context.ts';
import { HANDED_LINK_LIFETIME } from '../lifetimes.ts';
import { type Doing, refuseOthers } from '../members/change.ts';
import { insertMemberChange, lockAccount } from '../members/store.ts';
import type { IdentityDb } from '../schema.ts';
import { newSecret, secretHash } from '../secret.ts';
import { acquireAdvisoryLock } from '../store.ts';
import { insertLink } from './store.ts';

/**
 * Makes a link that a super administrator hands to a member, who sets a new password by it. The link stands in this
 * answer alone; that there was one is in the trail.
 * @throws FORBIDDEN, NOT_FOUND, ACCOUNT_DISABLED, PASSWORD_ELSEWHERE
 */
export async function handLink(
  identity: IdentityContext,
  { actorId, userId, log }: Doing,
): Promise<DataOf<typeof passwordRoutes.makePasswordLink>> {
  const made = await identity.db.transaction().execute(async (db) => {
    await acquireAdvisoryLock(db, 'members');
    await refuseOthers(db, actorId);
    const member = await lockAccount(db, userId);
    if (!member) throw appError('NOT_FOUND');
    if (member.disabled_at !== null) throw appError('ACCOUNT_DISABLED');
    if (member.password_hash === null) throw appError('PASSWORD_ELSEWHERE');
    const action = 'member.password_link';
    const created_at = new Date(identity.now());
    await insertMemberChange(db, { actor_id: actorId, user_id: userId, action, detail: {}, created_at });
    return makeLink(db, identity, { userId, lifetime: HANDED_LINK_LIFETIME });
  });
  log.info({ actor_id: actorId, user_id: userId, action: 'member.password_link' }, 'member changed');
  return { link: made.link, expires_at: made.expires_at.toISOString() };
}

/**
 * Makes the address by which a user sets a new password, once. The token stands in the fragment, which browsers send
 * to nobody, and only its hash is stored. `lifetime` in milliseconds.
 */
export async function makeLink(
  db: IdentityDb,
  { now, random, publicUrl }: Pick<IdentityContext, 'now' | 'random' | 'publicUrl'>,
  { userId, lifetime }: { userId: number; lifetime: number },
): Promise<{ link: string; expires_at: Date }> {
  const token = newSecret(random);
  const expires_at = new Date(now() + lifetime);
  await insertLink(db, { token_hash: secretHash(token), user_id: userId, expires_at });
  return { link: `${publicUrl}${RESET_PATH}#${token}`, expires_at };
}
