import { ROLE_SUPER_ADMIN } from '../../../shared/constants.ts';
import { PASSWORD_WEAKNESSES } from '../../../shared/errors.ts';
import { startError } from '../../database/errors.ts';
import { isAppError } from '../../http/errors.ts';
import type { IdentityDb } from '../schema.ts';
import { newReadableSecret, type Random } from '../secret.ts';
import { acquireAdvisoryLock } from '../store.ts';
import { checkedEmail } from './account-fields.ts';
import { createAccount } from './create-account.ts';
import { createPasswordHasher, openPasswordStrength, PASSWORD_MIN } from './passwords.ts';
import { hasSuperAdmin } from './store.ts';

const USER_NAME = 'admin';
const NICK_NAME = 'Admin';
const DEFAULT_EMAIL = 'admin@localhost';
const PASSWORD_LENGTH = 20;

type FirstAdmin = { email: string; password: string; generated: boolean };

type Wanted = { email?: string | undefined; password?: string | undefined };

type Context = {
  db: IdentityDb;
  random: Random;
  now: () => number;
  /** Called with a generated password before the account is stored, so that no account is made nobody can open. */
  keepPassword: (password: string) => Promise<void>;
};

/**
 * Makes the first super administrator when no account has that role (design section 5). Any number of instances may
 * call it at once.
 * @returns the account made now, undefined when there was one
 * @throws start error when ADMIN_EMAIL or ADMIN_PASSWORD will not do
 */
export async function ensureFirstAdmin(context: Context, wanted: Wanted): Promise<FirstAdmin | undefined> {
  if (await hasSuperAdmin(context.db)) return undefined;
  const { email, email_key } = readEmail(wanted.email ?? DEFAULT_EMAIL);
  if (wanted.password !== undefined) await refuseWeakStart(wanted.password, email);
  const password = wanted.password ?? newReadableSecret(context.random, PASSWORD_LENGTH);
  const password_hash = await (await createPasswordHasher(context.random)).hash(password);
  const generated = wanted.password === undefined;
  return context.db.transaction().execute(async (db) => {
    await acquireAdvisoryLock(db, 'first administrator');
    if (await hasSuperAdmin(db)) return undefined;
    if (generated) await context.keepPassword(password);
    // What the operator has set is theirs; the address that stands in for it is nobody's.
    const owned = wanted.email === undefined ? {} : { email_verified_at: new Date(context.now()) };
    const account = { email, email_key, ...owned, nick_name: NICK_NAME, user_name: USER_NAME, password_hash };
    await createAccount(db, context, { ...account, role: ROLE_SUPER_ADMIN }).catch(explainTaken);
    return { email, password, generated };
  });
}

function readEmail(text: string) {
  try {
    return checkedEmail(text);
  } catch (error) {
    throw startError('ADMIN_EMAIL must be an e-mail address.', error);
  }
}

async function refuseWeakStart(password: string, email: string): Promise<void> {
  const strength = openPasswordStrength();
  const weakness = await strength
    .weakness(password, { email, nick_name: '' })
    .finally(() => strength.close());
  if (!weakness) return;
  throw startError(
    `ADMIN_PASSWORD ${PASSWORD_WEAKNESSES[weakness]}: it needs at least ${PASSWORD_MIN} characters that are hard to guess.`,
  );
}

function explainTaken(error: unknown): never {
  if (!isAppError(error)) throw error;
  throw startError(
    'No account is a super administrator, and one could not be made because its e-mail address has an account ' +
      'already. Set ADMIN_EMAIL to another address.',
    error,
  );
}
