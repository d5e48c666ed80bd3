import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { AfterReset, passwordRoutes } from '../../../shared/routes/password.ts';
import { appError } from '../../http/errors.ts';
import type { Handler } from '../../http/implement.ts';
import { findUser } from '../accounts/store.ts';
import type { IdentityContext } from '../context.ts';
import { AFTER_RESET_LIFETIME } from '../lifetimes.ts';
import type { Account } from '../schema.ts';
import { checkCode } from '../second-factor/check-code.ts';
import { isRequiredOf } from '../second-factor/required.ts';
import { countRecoveryCodes, deleteSecondFactor, findSecondFactor } from '../second-factor/store.ts';

/** Encrypted for nothing else, so that no other secret of ours passes for one. */
const LABEL = 'after a new password';
const check = Compile(Type.Object({ user_id: Type.Integer(), until: Type.Integer() }));

/** The second factor that an account has after a new password was set by a link; it may be somebody else's. */
export async function leftSecondFactor(
  identity: IdentityContext,
  account: Account,
): Promise<AfterReset['second_factor']> {
  const { db, now, encryptor } = identity;
  const { user_id } = account;
  const factor = await findSecondFactor(db, user_id);
  if (!factor) return null;
  return {
    since: factor.created_at.toISOString(),
    recovery_codes_left: await countRecoveryCodes(db, user_id),
    is_required: isRequiredOf(identity, account),
    token: encryptor.encrypt(JSON.stringify({ user_id, until: now() + AFTER_RESET_LIFETIME }), LABEL),
  };
}

/**
 * Takes the second factor away after a new password was set by a link, with one of its codes: who has only the mailbox
 * would pass it otherwise.
 * @throws PASSWORD_LINK_INVALID, SECOND_FACTOR_REQUIRED, NOT_FOUND when it is off, SECOND_FACTOR_WRONG,
 *   TOO_MANY_REQUESTS, SERVICE_UNAVAILABLE
 */
export function removeLeftSecondFactor(
  identity: IdentityContext,
): Handler<typeof passwordRoutes.removeSecondFactorAfterReset> {
  return async ({ body, request }) => {
    const { db, now, encryptor } = identity;
    const text = encryptor.decrypt(body.token, LABEL);
    const proved: unknown = text === undefined ? undefined : JSON.parse(text);
    if (!check.Check(proved) || proved.until <= now()) throw appError('PASSWORD_LINK_INVALID');
    const owner = await findUser(db, proved.user_id);
    if (!owner || owner.disabled_at !== null) throw appError('PASSWORD_LINK_INVALID');
    if (isRequiredOf(identity, owner)) throw appError('SECOND_FACTOR_REQUIRED');
    if (!(await findSecondFactor(db, owner.user_id))) throw appError('NOT_FOUND');
    await checkCode(identity, { owner, typed: body.code, request });
    await db.transaction().execute((transaction) => deleteSecondFactor(transaction, owner.user_id));
    request.log.info({ user_id: owner.user_id }, 'the second factor was turned off');
    return {};
  };
}
