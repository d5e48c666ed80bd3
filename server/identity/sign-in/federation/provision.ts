import type { FastifyBaseLogger } from 'fastify';
import { ROLE_ADMIN, ROLE_SUPER_ADMIN, ROLE_USER } from '../../../../shared/constants.ts';
import type { Role } from '../../../../shared/entities/user.ts';
import { withoutMarkLookalikes } from '../../../../shared/mark-lookalikes.ts';
import { appError, isAppError } from '../../../http/errors.ts';
import { accountKey, createAccount, validateEmail, validateNickName } from '../../accounts/account.ts';
import {
  hasOtherSuperAdmin,
  insertMemberChange,
  isDemotion,
  lockAccount,
  updateAccount,
} from '../../accounts/change-store.ts';
import { findOwnerOf, joinEnterprise, upsertEnterprise } from '../../accounts/store.ts';
import type { Account, IdentityDb } from '../../schema.ts';
import { revokeSessionsOf } from '../../sessions/store.ts';
import { sendBackchannelLogout } from '../../sessions/tokens.ts';
import { acquireAdvisoryLock, insertRow } from '../../store.ts';
import type { SignInContext } from '../context.ts';
import type { Directory, ExternalProfile } from './method.ts';
import type { RoleMap } from './settings-schema.ts';
import { findExternal, insertExternal, updateExternal } from './store.ts';

/** Origin of a user, stored with a new account. */
export type Origin = { channel?: string; tencent_docs?: boolean };

/** A user of a directory whose e-mail address belongs to an account that is not linked yet. */
export type Conflict = { source: string; profile: ExternalProfile; userId: number };

export type Provisioned = { account: Account } | { conflict: Conflict };

type SignIn = { directory: Directory; profile: ExternalProfile; origin: Origin };

type Context = Pick<SignInContext, 'db' | 'now' | 'random' | 'mailer'>;

/**
 * The account of a user that a directory has authenticated, created at the first sign-in (just-in-time provisioning). If an
 * account has verified the same e-mail address, the user must sign in to it first, because directories may let users choose
 * their address. Unverified addresses are ignored, so that nobody can take over another user's first sign-in with one.
 * @throws ACCOUNT_DISABLED, SSO_ACCOUNT_UNKNOWN
 */
export async function provision(
  context: SignInContext,
  signIn: SignIn,
  log: FastifyBaseLogger,
): Promise<Provisioned> {
  const { directory, profile } = signIn;
  const { source } = directory;
  const { subject } = profile;
  const at = new Date(context.now());
  const provisioned = await context.db.transaction().execute(async (db): Promise<Provisioned> => {
    await acquireAdvisoryLock(db, `provision ${source} ${subject}`);
    const account = await findExternal(db, source, subject);
    return account ? { account } : provisionFirst({ ...context, db }, signIn, at);
  });
  if (!('account' in provisioned)) return provisioned;
  if (provisioned.account.disabled_at !== null) throw appError('ACCOUNT_DISABLED');
  await updateExternal(context.db, { source, subject, at, ...shownOf(profile) });
  return { account: await applyDirectory(context, provisioned.account, { directory, profile, at }, log) };
}

async function provisionFirst(
  { db, now, random, mailer }: Context & { db: IdentityDb },
  { directory, profile, origin }: SignIn,
  at: Date,
): Promise<Provisioned> {
  const { source, createsAccounts, documentService } = directory;
  const fields = accountFieldsOf(profile);
  // Without mails nobody can verify an address, so earlier verifications are ignored too.
  const address = mailer ? fields.email_key : null;
  const owner = address === null ? undefined : await findOwnerOf(db, address);
  if (owner) return { conflict: { source, profile, userId: owner.user_id } };
  if (!createsAccounts) throw appError('SSO_ACCOUNT_UNKNOWN');
  const account = await createAccount(
    db,
    { random, now },
    { ...fields, ...origin, ...(documentService && { tencent_docs: true }), password_hash: null },
  );
  const { user_id: userId } = account;
  await insertExternal(db, { source, subject: profile.subject, userId, at, ...shownOf(profile) });
  return { account };
}

/**
 * Updates role and enterprise from the directory. The last super administrator keeps the role; other sessions of an account
 * that loses rights end.
 */
async function applyDirectory(
  identity: SignInContext,
  account: Account,
  { directory, profile, at }: { directory: Directory; profile: ExternalProfile; at: Date },
  log: FastifyBaseLogger,
): Promise<Account> {
  const { user_id } = account;
  const { eId, eName, source } = directory;
  if (eId !== undefined) {
    await joinEnterprise(identity.db, { userId: user_id, eId, department: profile.department ?? '' });
    if (eName !== undefined) await upsertEnterprise(identity.db, eId, eName);
  }
  const role = roleOf(profile.groups, directory.roles);
  if (role === undefined || role === account.role) return account;
  const changed = await identity.db.transaction().execute(async (transaction) => {
    await acquireAdvisoryLock(transaction, 'members');
    const locked = await lockAccount(transaction, user_id);
    if (!locked || locked.role === role) return { account: locked ?? account, isDemoted: false };
    const isActiveSuperAdmin = locked.role === ROLE_SUPER_ADMIN && locked.disabled_at === null;
    if (isActiveSuperAdmin && !(await hasOtherSuperAdmin(transaction, user_id))) {
      log.warn({ user_id }, 'the last super administrator keeps the role despite their groups');
      return { account: locked, isDemoted: false };
    }
    const isDemoted = isDemotion(locked.role, role);
    // Of this moment is the sign-in that brought the groups: it goes on.
    const before = new Date(at.getTime() - 1);
    const signedOut = isDemoted ? { signed_out_at: before, devices_since: before } : {};
    await updateAccount(transaction, user_id, { role, ...signedOut });
    if (isDemoted) await revokeSessionsOf(transaction, user_id, at);
    await insertRow(transaction, 'role_change', { user_id, role, changed_at: at });
    const detail = { from: locked.role, to: role, source };
    const action = 'member.role_by_groups';
    await insertMemberChange(transaction, { actor_id: user_id, user_id, action, detail, created_at: at });
    log.info({ user_id, from: locked.role, to: role, source }, 'role changed by groups');
    return { account: { ...locked, role }, isDemoted };
  });
  if (changed.isDemoted) await sendBackchannelLogout(identity, { userId: user_id }, log);
  return changed.account;
}

const HIGHEST_FIRST = [
  ['super_admin', ROLE_SUPER_ADMIN],
  ['admin', ROLE_ADMIN],
] as const;

/** The highest role of the groups; undefined without a role map. */
function roleOf(groups: readonly string[], map: RoleMap | undefined): Role | undefined {
  if (map === undefined) return undefined;
  const own = new Set(groups.map((group) => group.toLowerCase()));
  const given = Object.entries(map).filter(([group]) => own.has(group.toLowerCase()));
  const highest = HIGHEST_FIRST.find(([name]) => given.some(([, role]) => role === name));
  return highest?.[1] ?? ROLE_USER;
}

const TEXT_MAX = 200;
const NICK_NAME_MAX = 40;

/**
 * The fields of an account from a profile. Invalid values are dropped, so that they do not prevent a sign-in; only the
 * subject is required. `nick_name` is empty when no name is valid.
 */
export function accountFieldsOf(profile: ExternalProfile) {
  const { avatar_url = '', mobile = '' } = profile;
  const { email, email_key } = orDefault<{ email: string; email_key: string | null }>(
    () => validateEmail(profile.email ?? ''),
    { email: '', email_key: null },
  );
  const names = [profile.nick_name, profile.user_name, email.split('@')[0], profile.subject];
  const nickNames = names.map((name = '') =>
    orDefault(() => validateNickName([...withoutMarkLookalikes(name)].slice(0, NICK_NAME_MAX).join('')), ''),
  );
  const user_name = profile.user_name?.trim();
  return {
    email,
    email_key,
    nick_name: nickNames.find(Boolean) ?? '',
    ...(user_name && isUserName(user_name) && { user_name }),
    mobile: mobile.slice(0, TEXT_MAX),
    avatar_url: /^https?:\/\//.test(avatar_url) && URL.canParse(avatar_url) ? avatar_url : '',
  };
}

/** Name and address by which users recognise an external sign-in. */
export function shownOf(profile: ExternalProfile): { name: string; email: string } {
  const { nick_name: name, email } = accountFieldsOf(profile);
  return { name, email };
}

/** User names must not contain @, so that they cannot be mistaken for an address. */
function isUserName(name: string): boolean {
  const key = accountKey(name);
  return key !== null && !key.includes('@') && key.length <= TEXT_MAX;
}

function orDefault<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch (error) {
    if (!isAppError(error)) throw error;
    return otherwise;
  }
}
