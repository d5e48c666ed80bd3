import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import { ROLE_SUPER_ADMIN, ROLE_USER } from '../../../shared/constants.ts';
import type { TypedProof } from '../../../shared/entities/sign-in.ts';
import type { Role } from '../../../shared/entities/user.ts';
import type { DataOf } from '../../../shared/route.ts';
import type { Member } from '../../../shared/routes/member.ts';
import type { passwordRoutes } from '../../../shared/routes/password.ts';
import { appError } from '../../http/errors.ts';
import { insertRoleChange } from '../account/store.ts';
import { reauthenticate } from '../accounts/reauthenticate.ts';
import { findUser } from '../accounts/store.ts';
import type { IdentityContext } from '../context.ts';
import { HANDED_LINK_LIFETIME } from '../lifetimes.ts';
import { makeLink } from '../password/password.ts';
import type { Account, IdentityDb } from '../schema.ts';
import { deleteSecondFactor } from '../second-factor/store.ts';
import { sendBackchannelLogout } from '../sessions/backchannel-logout.ts';
import type { Caller } from '../sessions/caller.ts';
import { revokeSessionsOf } from '../sessions/store.ts';
import { acquireAdvisoryLock } from '../store.ts';
import { toMember } from './list.ts';
import {
  type AccountChange,
  hasOtherSuperAdmin,
  insertMemberChange,
  lockAccount,
  readMemberRow,
  updateAccount,
} from './store.ts';

/** Who changes whom. */
export type Doing = { actorId: number; userId: number; log: FastifyBaseLogger };

/** What becomes of an account; undefined when it is so already. */
type Plan = {
  action: string;
  set: AccountChange;
  detail: Readonly<Record<string, string | number | boolean | null>>;
  endsSessions: boolean;
  takesSecondFactor?: boolean;
};
type PlanFor = (member: Account, at: Date) => Plan | undefined;

/**
 * Has the caller prove again who they are where a super administrator comes or goes: a stolen session, or one click
 * beside the right one, must not be enough for that.
 * @throws NOT_FOUND, REAUTHENTICATION_REQUIRED, SECOND_FACTOR_WRONG, PASSWORD_WRONG at /password, TOO_MANY_REQUESTS
 */
export async function proveForSuperAdmin(
  identity: IdentityContext,
  caller: Caller,
  {
    userId,
    role,
    typed,
    request,
  }: { userId: number; role: Role; typed: TypedProof; request: FastifyRequest },
): Promise<void> {
  const member = await findUser(identity.db, userId);
  if (!member) throw appError('NOT_FOUND');
  if (role === ROLE_SUPER_ADMIN || member.role === ROLE_SUPER_ADMIN)
    await reauthenticate(identity, caller, { typed, request });
}

/**
 * Gives an account a role. Who administrates no longer is signed out, for their tokens still say they do; a role that is
 * gained shows once the user's token is refreshed.
 * @throws FORBIDDEN, NOT_FOUND, LAST_SUPER_ADMIN
 */
export function changeRole(identity: IdentityContext, role: Role, doing: Doing): Promise<Member> {
  return change(identity, doing, (member) => {
    if (member.role === role) return undefined;
    const detail = { from: member.role, to: role };
    return { action: 'member.role', set: { role }, detail, endsSessions: role === ROLE_USER };
  });
}

/**
 * Disables an account, which ends its sessions, or lets it in again.
 * @throws FORBIDDEN, NOT_FOUND, LAST_SUPER_ADMIN
 */
export function disable(identity: IdentityContext, isDisabled: boolean, doing: Doing): Promise<Member> {
  return change(identity, doing, (member, at) => {
    if ((member.disabled_at !== null) === isDisabled) return undefined;
    return {
      action: isDisabled ? 'member.disable' : 'member.enable',
      set: { disabled_at: isDisabled ? at : null },
      detail: {},
      endsSessions: isDisabled,
    };
  });
}

/**
 * Ends all sessions of an account.
 * @throws FORBIDDEN, NOT_FOUND
 */
export function signOutEverywhere(identity: IdentityContext, doing: Doing): Promise<Member> {
  return change(identity, doing, () => ({
    action: 'member.sign_out',
    set: {},
    detail: {},
    endsSessions: true,
  }));
}

/**
 * Takes the second factor from a user who has lost it, and ends all sessions of the account.
 * @throws FORBIDDEN, NOT_FOUND
 */
export function takeSecondFactor(identity: IdentityContext, doing: Doing): Promise<Member> {
  return change(identity, doing, () => ({
    action: 'member.second_factor',
    set: {},
    detail: {},
    endsSessions: true,
    takesSecondFactor: true,
  }));
}

/** Members are changed by one at a time, so that two cannot take away each other as the last super administrator. */
async function change(identity: IdentityContext, doing: Doing, planFor: PlanFor): Promise<Member> {
  const { actorId, userId, log } = doing;
  const at = new Date(identity.now());
  const done = await identity.db.transaction().execute(async (db) => {
    await acquireAdvisoryLock(db, 'members');
    await refuseOthers(db, actorId);
    const member = await lockAccount(db, userId);
    if (!member) throw appError('NOT_FOUND');
    const plan = planFor(member, at);
    if (plan) await carryOut(db, plan, { actorId, member, at });
    const row = await readMemberRow(db, userId, at);
    if (!row) throw appError('NOT_FOUND');
    return { member: toMember(row), plan };
  });
  if (done.plan) log.info({ actor_id: actorId, user_id: userId, action: done.plan.action }, 'member changed');
  if (done.plan?.endsSessions) await sendBackchannelLogout(identity, { userId: userId }, log);
  return done.member;
}

/** Asked again in their turn: they may have lost the role since their request came in. */
async function refuseOthers(db: IdentityDb, actorId: number): Promise<void> {
  const actor = await lockAccount(db, actorId);
  if (actor?.role !== ROLE_SUPER_ADMIN || actor.disabled_at !== null) throw appError('FORBIDDEN');
}

async function carryOut(
  db: IdentityDb,
  { action, set, detail, endsSessions, takesSecondFactor }: Plan,
  { actorId, member, at }: { actorId: number; member: Account; at: Date },
): Promise<void> {
  const { user_id } = member;
  const isLeaving = set.disabled_at instanceof Date || (set.role ?? member.role) !== ROLE_SUPER_ADMIN;
  const isSuperAdmin = member.role === ROLE_SUPER_ADMIN && member.disabled_at === null;
  if (isSuperAdmin && isLeaving && !(await hasOtherSuperAdmin(db, user_id))) {
    throw appError('LAST_SUPER_ADMIN');
  }
  const signedOut = endsSessions ? { signed_out_at: at, devices_since: at } : {};
  if (endsSessions || Object.keys(set).length > 0) await updateAccount(db, user_id, { ...set, ...signedOut });
  if (endsSessions) await revokeSessionsOf(db, user_id, at);
  if (takesSecondFactor) await deleteSecondFactor(db, user_id);
  if (set.role !== undefined) await insertRoleChange(db, { user_id, role: set.role, changed_at: at });
  await insertMemberChange(db, { actor_id: actorId, user_id, action, detail, created_at: at });
}

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
