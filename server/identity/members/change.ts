import type { FastifyBaseLogger } from 'fastify';
import { ROLE_SUPER_ADMIN } from '../../../shared/constants.ts';
import type { Role } from '../../../shared/entities/user.ts';
import type { DataOf } from '../../../shared/route.ts';
import type { Member, memberRoutes } from '../../../shared/routes/member.ts';
import { appError } from '../../http/errors.ts';
import {
  type AccountChange,
  hasOtherSuperAdmin,
  insertMemberChange,
  isDemotion,
  lockAccount,
  updateAccount,
} from '../accounts/change-store.ts';
import { HANDED_LINK_LIFETIME } from '../lifetimes.ts';
import type { Account, IdentityDb } from '../schema.ts';
import { revokeSessionsOf } from '../sessions/store.ts';
import { sendBackchannelLogout } from '../sessions/tokens.ts';
import type { SignInContext } from '../sign-in/context.ts';
import { createPasswordLink } from '../sign-in/password/password.ts';
import { deleteSecondFactor } from '../sign-in/second-factor/store.ts';
import { acquireAdvisoryLock, insertRow } from '../store.ts';
import { type MemberRow, readMemberRow } from './store.ts';

/** `actorId` changes the account `userId`. */
export type ChangeContext = { actorId: number; userId: number; log: FastifyBaseLogger };

/** A change of an account. */
type Plan = {
  action: string;
  set?: AccountChange;
  detail?: Readonly<Record<string, string | number | boolean | null>>;
  endsSessions: boolean;
  removesSecondFactor?: boolean;
};
type CreatePlan = (member: Account, at: Date) => Plan | undefined;

/**
 * Changes the role of an account. Whoever loses rights is signed out, because their tokens still contain the former role; a
 * higher role becomes visible with the next token refresh.
 * @throws FORBIDDEN, NOT_FOUND, LAST_SUPER_ADMIN
 */
export function changeRole(identity: SignInContext, role: Role, context: ChangeContext): Promise<Member> {
  return change(identity, context, (member) => {
    if (member.role === role) return undefined;
    const detail = { from: member.role, to: role };
    return { action: 'member.role', set: { role }, detail, endsSessions: isDemotion(member.role, role) };
  });
}

/**
 * Disables an account, which ends its sessions, or enables it again.
 * @throws FORBIDDEN, NOT_FOUND, LAST_SUPER_ADMIN
 */
export function setDisabled(
  identity: SignInContext,
  isDisabled: boolean,
  context: ChangeContext,
): Promise<Member> {
  return change(identity, context, (member, at) => {
    if ((member.disabled_at !== null) === isDisabled) return undefined;
    return {
      action: isDisabled ? 'member.disable' : 'member.enable',
      set: { disabled_at: isDisabled ? at : null },
      endsSessions: isDisabled,
    };
  });
}

/**
 * Ends all sessions of an account.
 * @throws FORBIDDEN, NOT_FOUND
 */
export function signOutEverywhere(identity: SignInContext, context: ChangeContext): Promise<Member> {
  return change(identity, context, () => ({ action: 'member.sign_out', endsSessions: true }));
}

/**
 * Removes the second factor of a user who has lost it, and ends all sessions of the account.
 * @throws FORBIDDEN, NOT_FOUND
 */
export function removeSecondFactor(identity: SignInContext, context: ChangeContext): Promise<Member> {
  return change(identity, context, () => ({
    action: 'member.second_factor',
    endsSessions: true,
    removesSecondFactor: true,
  }));
}

/** The lock serializes changes, so that two super administrators cannot remove each other at the same time. */
async function change(
  identity: SignInContext,
  context: ChangeContext,
  createPlan: CreatePlan,
): Promise<Member> {
  const { actorId, userId, log } = context;
  const at = new Date(identity.now());
  const result = await identity.db.transaction().execute(async (db) => {
    await acquireAdvisoryLock(db, 'members');
    await requireSuperAdmin(db, actorId);
    const member = await lockAccount(db, userId);
    if (!member) throw appError('NOT_FOUND');
    const plan = createPlan(member, at);
    if (plan) await applyPlan(db, plan, { actorId, member, at });
    const row = await readMemberRow(db, userId, at);
    if (!row) throw appError('NOT_FOUND');
    return { member: toMember(row), plan };
  });
  if (result.plan)
    log.info({ actor_id: actorId, user_id: userId, action: result.plan.action }, 'member changed');
  if (result.plan?.endsSessions) await sendBackchannelLogout(identity, { userId }, log);
  return result.member;
}

/** Checked again under the lock: the actor may have lost the role since the request arrived. */
export async function requireSuperAdmin(db: IdentityDb, actorId: number): Promise<void> {
  const actor = await lockAccount(db, actorId);
  if (actor?.role !== ROLE_SUPER_ADMIN || actor.disabled_at !== null) throw appError('FORBIDDEN');
}

async function applyPlan(
  db: IdentityDb,
  { action, set = {}, detail = {}, endsSessions, removesSecondFactor }: Plan,
  { actorId, member, at }: { actorId: number; member: Account; at: Date },
): Promise<void> {
  const { user_id } = member;
  const losesSuperAdmin = set.disabled_at instanceof Date || (set.role ?? member.role) !== ROLE_SUPER_ADMIN;
  const isSuperAdmin = member.role === ROLE_SUPER_ADMIN && member.disabled_at === null;
  if (isSuperAdmin && losesSuperAdmin && !(await hasOtherSuperAdmin(db, user_id))) {
    throw appError('LAST_SUPER_ADMIN');
  }
  const signedOut = endsSessions ? { signed_out_at: at, devices_since: at } : {};
  if (endsSessions || Object.keys(set).length > 0) await updateAccount(db, user_id, { ...set, ...signedOut });
  if (endsSessions) await revokeSessionsOf(db, user_id, at);
  if (removesSecondFactor) await deleteSecondFactor(db, user_id);
  if (set.role !== undefined) await insertRow(db, 'role_change', { user_id, role: set.role, changed_at: at });
  await insertMemberChange(db, { actor_id: actorId, user_id, action, detail, created_at: at });
}

/**
 * Creates a link that a super administrator hands to a member for setting a new password. The link appears in this response
 * only; the audit log records that it was created.
 * @throws FORBIDDEN, NOT_FOUND, ACCOUNT_DISABLED, PASSWORD_ELSEWHERE
 */
export async function createHandedLink(
  identity: SignInContext,
  { actorId, userId, log }: ChangeContext,
): Promise<DataOf<typeof memberRoutes.makePasswordLink>> {
  const created = await identity.db.transaction().execute(async (db) => {
    await acquireAdvisoryLock(db, 'members');
    await requireSuperAdmin(db, actorId);
    const member = await lockAccount(db, userId);
    if (!member) throw appError('NOT_FOUND');
    if (member.disabled_at !== null) throw appError('ACCOUNT_DISABLED');
    if (member.password_hash === null) throw appError('PASSWORD_ELSEWHERE');
    const action = 'member.password_link';
    const created_at = new Date(identity.now());
    await insertMemberChange(db, { actor_id: actorId, user_id: userId, action, detail: {}, created_at });
    return createPasswordLink(db, identity, { userId, lifetime: HANDED_LINK_LIFETIME });
  });
  log.info({ actor_id: actorId, user_id: userId, action: 'member.password_link' }, 'member changed');
  return { link: created.link, expires_at: created.expires_at.toISOString() };
}

export function toMember({ disabled_at, created_at, last_sign_in_at, ...member }: MemberRow): Member {
  return {
    ...member,
    is_disabled: disabled_at !== null,
    created_at: created_at.toISOString(),
    last_sign_in_at: last_sign_in_at?.toISOString() ?? null,
  };
}
