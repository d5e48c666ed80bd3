import type { FastifyBaseLogger } from 'fastify';
import type { BodyOf, DataOf } from '../../../shared/route.ts';
import type { memberRoutes } from '../../../shared/routes/member.ts';
import { appError } from '../../http/errors.ts';
import { createAccount, validateEmail, validateNickName } from '../accounts/account.ts';
import { insertMemberChange } from '../accounts/change-store.ts';
import { INVITATION_LIFETIME } from '../lifetimes.ts';
import { newSecret } from '../secret.ts';
import type { SignInContext } from '../sign-in/context.ts';
import { createPasswordLink } from '../sign-in/password/password.ts';
import { acquireAdvisoryLock } from '../store.ts';
import { requireSuperAdmin, toMember } from './change.ts';
import { readMemberRow } from './store.ts';

type Invitation = Pick<BodyOf<typeof memberRoutes.inviteMember>, 'email' | 'nick_name'>;

/**
 * Creates an account with a password that nobody knows, and a link that a super administrator hands to its user for choosing
 * one. Nobody has proved the address.
 * @throws FORBIDDEN, also when sign-up is closed, VALIDATION_FAILED, ACCOUNT_EXISTS
 */
export async function invite(
  identity: SignInContext,
  invitation: Invitation,
  { actorId, log }: { actorId: number; log: FastifyBaseLogger },
): Promise<DataOf<typeof memberRoutes.inviteMember>> {
  if (identity.signUp === 'closed') throw appError('FORBIDDEN');
  const named = {
    ...validateEmail(invitation.email),
    nick_name: validateNickName(invitation.nick_name),
    password_hash: await identity.passwords.hash(newSecret(identity.random)),
  };
  const action = 'member.invite';
  const invited = await identity.db.transaction().execute(async (db) => {
    await acquireAdvisoryLock(db, 'members');
    await requireSuperAdmin(db, actorId);
    const { user_id } = await createAccount(db, identity, named);
    const created_at = new Date(identity.now());
    await insertMemberChange(db, { actor_id: actorId, user_id, action, detail: {}, created_at });
    const { link, expires_at } = await createPasswordLink(db, identity, {
      userId: user_id,
      lifetime: INVITATION_LIFETIME,
    });
    const row = await readMemberRow(db, user_id, created_at);
    if (!row) throw appError('NOT_FOUND');
    return { link, expires_at: expires_at.toISOString(), member: toMember(row) };
  });
  log.info({ actor_id: actorId, user_id: invited.member.user_id, action }, 'member invited');
  return invited;
}
