import type { FastifyBaseLogger } from 'fastify';
import { ROLE_SUPER_ADMIN } from '../../../shared/constants.ts';
import { appError } from '../../http/errors.ts';
import { insertRoleChange } from '../account/store.ts';
import { createAccount } from '../accounts/create-account.ts';
import { findOwnerOf } from '../accounts/store.ts';
import type { IdentityContext } from '../context.ts';
import { enrol, nameEnterprise } from '../enterprises/store.ts';
import { hasOtherSuperAdmin, updateAccount } from '../members/store.ts';
import type { Directory, ExternalPerson } from '../methods/method.ts';
import type { Account, IdentityDb } from '../schema.ts';
import { takeTurn } from '../store.ts';
import type { Origin } from '../third-party/document-service.ts';
import { knownPerson, shownOf } from './person.ts';
import { roleOf } from './roles.ts';
import { findExternal, insertExternal, noteExternal } from './store.ts';

/** A person of a directory whose e-mail address is owned by an account that they have not proved to be theirs. */
export type Clash = { source: string; person: ExternalPerson; userId: number };

/** Whose account it is, or what must be bound first. */
export type Arrived = { account: Account } | { clash: Clash };

/** Who comes, and by what; `origin`: what an account made now keeps of where they came from. */
type Coming = { directory: Directory; person: ExternalPerson; origin: Origin };

type Means = Pick<IdentityContext, 'db' | 'now' | 'random' | 'mailer'>;

/**
 * The account of a person whom a directory has proved. Who comes for the first time gets one; where somebody has proved
 * to own their e-mail address, that account must be signed in to first, for a directory may let people choose theirs. An
 * address that was only typed means nobody, so that nobody takes another's first sign-in by typing it.
 * @throws ACCOUNT_DISABLED, SSO_ACCOUNT_UNKNOWN
 */
export async function arrive(
  means: Means,
  { directory, person, origin }: Coming,
  log: FastifyBaseLogger,
): Promise<Arrived> {
  const at = new Date(means.now());
  const arrived = await means.db.transaction().execute(async (db): Promise<Arrived> => {
    await takeTurn(db, `arrival ${directory.source} ${person.subject}`);
    const account = await findExternal(db, directory.source, person.subject);
    if (account) return { account };
    return firstArrival({ ...means, db }, { directory, person, origin });
  });
  if (!('account' in arrived)) return arrived;
  if (arrived.account.disabled_at !== null) throw appError('ACCOUNT_DISABLED');
  const { source } = directory;
  await noteExternal(means.db, { source, subject: person.subject, at, ...shownOf(person) });
  return { account: await brought(means.db, arrived.account, { directory, person, at }, log) };
}

async function firstArrival(
  { db, now, random, mailer }: Means & { db: IdentityDb },
  { directory, person, origin }: Coming,
): Promise<Arrived> {
  const { source } = directory;
  const { subject } = person;
  const at = new Date(now());
  const known = knownPerson(person);
  // Without mails nobody proves an address now, whatever was proved before.
  const address = mailer ? known.email_key : null;
  const owner = address === null ? undefined : await findOwnerOf(db, address);
  if (owner) return { clash: { source, person, userId: owner.user_id } };
  if (!directory.createsAccounts) throw appError('SSO_ACCOUNT_UNKNOWN');
  const { user_name, ...fields } = known;
  const account = await createAccount(
    db,
    { random, now },
    {
      ...fields,
      ...origin,
      ...(directory.documentService && { tencent_docs: true }),
      password_hash: null,
      ...(user_name !== undefined && { user_name }),
    },
  );
  await insertExternal(db, { source, subject, userId: account.user_id, at, ...shownOf(person) });
  return { account };
}

/** Brings role and enterprise up to what the directory says now. The last super administrator stays one. */
async function brought(
  db: IdentityDb,
  account: Account,
  { directory, person, at }: Omit<Coming, 'origin'> & { at: Date },
  log: FastifyBaseLogger,
): Promise<Account> {
  const { user_id } = account;
  if (directory.eId !== undefined) {
    await enrol(db, { userId: user_id, eId: directory.eId, department: person.department ?? '' });
    if (directory.eName !== undefined) await nameEnterprise(db, directory.eId, directory.eName);
  }
  const role = roleOf(person.groups, directory.roles);
  if (role === undefined || role === account.role) return account;
  return db.transaction().execute(async (transaction) => {
    await takeTurn(transaction, 'members');
    const isLeaving = account.role === ROLE_SUPER_ADMIN && account.disabled_at === null;
    if (isLeaving && !(await hasOtherSuperAdmin(transaction, user_id))) {
      log.warn({ user_id }, 'the last super administrator keeps their role, whatever their groups are');
      return account;
    }
    await updateAccount(transaction, user_id, { role });
    await insertRoleChange(transaction, { user_id, role, changed_at: at });
    log.info({ user_id, from: account.role, to: role, source: directory.source }, 'a role was set by groups');
    return { ...account, role };
  });
}
