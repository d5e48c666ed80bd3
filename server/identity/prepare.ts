import { randomBytes } from 'node:crypto';
import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { ROLE_SUPER_ADMIN } from '../../shared/constants.ts';
import { PASSWORD_WEAKNESSES } from '../../shared/errors.ts';
import { startError } from '../database/errors.ts';
import { migrate } from '../database/migrate.ts';
import { openKysely, type Pool } from '../database/pool.ts';
import { createEncryptor, type Encryptor } from '../encryption/encryptor.ts';
import { loadKeys } from '../encryption/keys.ts';
import { isAppError } from '../http/errors.ts';
import { createAccount, validateEmail } from './accounts/account.ts';
import { createPasswordHasher, openPasswordStrength, PASSWORD_MIN } from './accounts/passwords.ts';
import { hasSuperAdmin } from './accounts/store.ts';
import { assertKeysDecrypt, rotateKeys } from './keys/key-ring.ts';
import { identityMigrations } from './migrations.ts';
import { type IdentityDb, type IdentityTables, SCHEMA } from './schema.ts';
import { newReadableSecret, type Random } from './secret.ts';
import { acquireAdvisoryLock } from './store.ts';

/** File in the data folder with the generated password of the first administrator. */
const PASSWORD_FILE = 'admin-password.txt';

type PrepareOptions = {
  pool: Pool;
  log: FastifyBaseLogger;
  now: () => number;
  /** Encrypts secrets at rest, see loadEncryptor. */
  encryptor: Encryptor;
  /** Milliseconds that a signing key is used. */
  keyRotation: number;
  dataDir: string;
  /** ADMIN_EMAIL and ADMIN_PASSWORD; used only while there is no super administrator. */
  admin: { email?: string | undefined; password?: string | undefined };
  /** Whether the program runs in a terminal, where a generated password may be shown once. */
  terminal: boolean;
  random?: Random;
};

/** How the first administrator signs in; the password only when it was generated and may be shown. */
type AdminNotice = { email: string; passwordFile?: string; password?: string };

/**
 * Creates schema, signing key and, if there is none, the first administrator. Safe to call at every start and by several
 * instances concurrently.
 * @throws start error when the signing keys in the database cannot be decrypted, ADMIN_EMAIL or ADMIN_PASSWORD is not
 *   acceptable, or the data folder is not writable
 */
export async function prepareIdentity(options: PrepareOptions): Promise<{ firstAdmin?: AdminNotice }> {
  const { pool, log, now, encryptor, keyRotation, dataDir, admin, terminal, random = randomBytes } = options;
  // No timeout: migrations may take long, also those of other instances that this one waits for.
  const db = openKysely<IdentityTables>(pool, { timeoutMs: 0 });
  await migrate({ db, schema: SCHEMA, migrations: identityMigrations, log });
  await assertKeysDecrypt(db, encryptor, now);
  await rotateKeys(db, { now, encryptor, every: keyRotation });
  const passwordFile = join(dataDir, PASSWORD_FILE);
  const storePassword = (password: string) => writePasswordFile(passwordFile, dataDir, password);
  const created = await ensureFirstAdmin({ db, random, now, storePassword }, admin);
  if (!created) return {};
  const { email, password, generated } = created;
  log.info(generated ? { password_file: passwordFile } : {}, 'first administrator created');
  if (!generated) return { firstAdmin: { email } };
  return { firstAdmin: { email, passwordFile, ...(terminal && { password }) } };
}

/**
 * Writes a password and a newline to a file that only its owner can read, atomically and synced to disk.
 * @throws start error when the folder is not writable
 */
async function writePasswordFile(file: string, dataDir: string, password: string): Promise<void> {
  const draft = `${file}.${process.pid}.tmp`;
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    const handle = await open(draft, 'w', 0o600);
    try {
      await handle.chmod(0o600);
      await handle.writeFile(`${password}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (error) {
    throw startError(`The password of the first administrator could not be written to ${file}.`, error);
  }
}

const USER_NAME = 'admin';
const NICK_NAME = 'Admin';
/** To sign in with: no mail goes there. */
const DEFAULT_EMAIL = 'admin@localhost';
const PASSWORD_LENGTH = 20;

type FirstAdmin = { email: string; password: string; generated: boolean };

type AdminSettings = { email?: string | undefined; password?: string | undefined };

type Context = {
  db: IdentityDb;
  random: Random;
  now: () => number;
  /** Called with a generated password before the account is stored, so that there is never an account without it. */
  storePassword: (password: string) => Promise<void>;
};

/**
 * Creates the first super administrator when no account has that role (R 8.20). Several instances may call it
 * concurrently.
 * @returns undefined when there is a super administrator already
 * @throws start error when ADMIN_EMAIL or ADMIN_PASSWORD is not acceptable
 */
export async function ensureFirstAdmin(
  context: Context,
  configured: AdminSettings,
): Promise<FirstAdmin | undefined> {
  if (await hasSuperAdmin(context.db)) return undefined;
  const { email, email_key } = readEmail(configured.email);
  if (configured.password !== undefined) await checkAdminPassword(configured.password, email);
  const password = configured.password ?? newReadableSecret(context.random, PASSWORD_LENGTH);
  const password_hash = await (await createPasswordHasher(context.random)).hash(password);
  const generated = configured.password === undefined;
  return context.db.transaction().execute(async (db) => {
    await acquireAdvisoryLock(db, 'first administrator');
    if (await hasSuperAdmin(db)) return undefined;
    if (generated) await context.storePassword(password);
    // An address that the operator has set counts as verified, the default one does not.
    const verified = configured.email === undefined ? {} : { email_verified_at: new Date(context.now()) };
    const account = {
      email,
      email_key,
      ...verified,
      nick_name: NICK_NAME,
      user_name: USER_NAME,
      password_hash,
    };
    await createAccount(db, context, { ...account, role: ROLE_SUPER_ADMIN }).catch(explainEmailTaken);
    return { email, password, generated };
  });
}

function readEmail(text: string | undefined) {
  if (text === undefined) return { email: DEFAULT_EMAIL, email_key: DEFAULT_EMAIL };
  try {
    return validateEmail(text);
  } catch (error) {
    throw startError('ADMIN_EMAIL must be an e-mail address.', error);
  }
}

async function checkAdminPassword(password: string, email: string): Promise<void> {
  const strength = openPasswordStrength();
  const weakness = await strength
    .weakness(password, { email, nick_name: '' })
    .finally(() => strength.close());
  if (!weakness) return;
  throw startError(
    `ADMIN_PASSWORD ${PASSWORD_WEAKNESSES[weakness]}: it needs at least ${PASSWORD_MIN} characters that are hard to guess.`,
  );
}

function explainEmailTaken(error: unknown): never {
  if (!isAppError(error)) throw error;
  throw startError(
    'There is no super administrator, and one could not be created because its e-mail address already has an ' +
      'account. Set ADMIN_EMAIL to another address.',
    error,
  );
}

const KEYS_FILE = 'identity-keys';

/**
 * Encryption at rest of secrets in the database. The label states what a value is and whose, such as
 * `signing key ${kid}`. The keys are IDENTITY_KEYS, or a generated one in the data folder.
 * @throws Error when the key file contains no keys
 */
export function loadEncryptor(given: { configured: readonly Buffer[]; dataDir: string }): Encryptor {
  return createEncryptor(loadKeys({ ...given, fileName: KEYS_FILE }), 'identity');
}
