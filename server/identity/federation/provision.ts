import type { FastifyBaseLogger } from 'fastify';
import { ROLE_ADMIN, ROLE_SUPER_ADMIN, ROLE_USER } from '../../../shared/constants.ts';
import type { Role } from '../../../shared/entities/user.ts';
import { appError } from '../../http/errors.ts';
import { insertRoleChange } from '../account/store.ts';
import { createAccount } from '../accounts/create-account.ts';
import { enrol, findOwnerOf, nameEnterprise } from '../accounts/store.ts';
import type { IdentityContext } from '../context.ts';
import { hasOtherSuperAdmin, updateAccount } from '../members/store.ts';
import type { Account, IdentityDb } from '../schema.ts';
import { acquireAdvisoryLock } from '../store.ts';
import type { Origin } from './document-service.ts';
import type { Directory, ExternalProfile } from './method.ts';
import { accountFieldsOf, shownOf } from './profile.ts';
import type { RoleMap } from './settings-schemas.ts';
import { findExternal, insertExternal, noteExternal } from './store.ts';

/** A user of a directory whose e-mail address is owned by an account that they have not proved to be theirs. */
export type Conflict = { source: string; profile: ExternalProfile; userId: number };

/** Whose account it is, or what must be linked first. */
export type Provisioned = { account: Account } | { conflict: Conflict };

/** `origin`: what an account made now stores of where its user came from. */
type SignIn = { directory: Directory; profile: ExternalProfile; origin: Origin };

type Context = Pick<IdentityContext, 'db' | 'now' | 'random' | 'mailer'>;

/**
 * The account of a user whom a directory has authenticated, made at the first sign-in (just-in-time provisioning). Where
 * somebody has proved to own their e-mail address, that account must be signed in to first, for a directory may let
 * users choose theirs. An address that was only typed means nobody, so that nobody takes another's first sign-in by typing
 * it.
 * @throws ACCOUNT_DISABLED, SSO_ACCOUNT_UNKNOWN
 */
export async function provision(
  context: Context,
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
  await noteExternal(context.db, { source, subject, at, ...shownOf(profile) });
  return { account: await update(context.db, provisioned.account, { directory, profile, at }, log) };
}

async function provisionFirst(
  { db, now, random, mailer }: Context & { db: IdentityDb },
  { directory, profile, origin }: SignIn,
  at: Date,
): Promise<Provisioned> {
  const { source, createsAccounts, documentService } = directory;
  const fields = accountFieldsOf(profile);
  // Without mails nobody proves an address now, whatever was proved before.
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

/** Brings role and enterprise up to what the directory says now. The last super administrator stays one. */
async function update(
  db: IdentityDb,
  account: Account,
  { directory, profile, at }: { directory: Directory; profile: ExternalProfile; at: Date },
  log: FastifyBaseLogger,
): Promise<Account> {
  const { user_id } = account;
  const { eId, eName, source } = directory;
  if (eId !== undefined) {
    await enrol(db, { userId: user_id, eId, department: profile.department ?? '' });
    if (eName !== undefined) await nameEnterprise(db, eId, eName);
  }
  const role = roleOf(profile.groups, directory.roles);
  if (role === undefined || role === account.role) return account;
  return db.transaction().execute(async (transaction) => {
    await acquireAdvisoryLock(transaction, 'members');
    const isLeaving = account.role === ROLE_SUPER_ADMIN && account.disabled_at === null;
    if (isLeaving && !(await hasOtherSuperAdmin(transaction, user_id))) {
      log.warn({ user_id }, 'the last super administrator keeps their role, whatever their groups are');
      return account;
    }
    await updateAccount(transaction, user_id, { role });
    await insertRoleChange(transaction, { user_id, role, changed_at: at });
    log.info({ user_id, from: account.role, to: role, source }, 'a role was set by groups');
    return { ...account, role };
  });
}

const HIGHEST_FIRST = [
  ['super_admin', ROLE_SUPER_ADMIN],
  ['admin', ROLE_ADMIN],
] as const;

/** The highest role of the groups; undefined where the deployment does not let groups decide. */
function roleOf(groups: readonly string[], map: RoleMap | undefined): Role | undefined {
  if (map === undefined) return undefined;
  const own = new Set(groups.map((group) => group.toLowerCase()));
  const given = Object.entries(map).filter(([group]) => own.has(group.toLowerCase()));
  const highest = HIGHEST_FIRST.find(([name]) => given.some(([, role]) => role === name));
  return highest?.[1] ?? ROLE_USER;
}
