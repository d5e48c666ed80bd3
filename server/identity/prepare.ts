import { randomBytes } from 'node:crypto';
import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { startError } from '../database/errors.ts';
import { migrate } from '../database/migrate.ts';
import { openKysely, type Pool } from '../database/pool.ts';
import { createEncryptor, type Encryptor } from '../encryption/encryptor.ts';
import { loadKeys } from '../encryption/keys.ts';
import { ensureFirstAdmin } from './accounts/first-admin.ts';
import { assertKeysDecrypt, encryptPlainKeys, rotateKeys } from './keys/key-ring.ts';
import { identityMigrations } from './migrations.ts';
import { type IdentityTables, SCHEMA } from './schema.ts';
import type { Random } from './secret.ts';

/** Where in the data folder the password of the first administrator is written. */
const PASSWORD_FILE = 'admin-password.txt';

type PrepareOptions = {
  pool: Pool;
  log: FastifyBaseLogger;
  now: () => number;
  /** Opens what is encrypted in the database, see loadEncryptor. */
  encryptor: Encryptor;
  /** Milliseconds that a signing key is in use. */
  keyRotation: number;
  dataDir: string;
  /** ADMIN_EMAIL and ADMIN_PASSWORD; used only while there is no super administrator. */
  admin: { email?: string | undefined; password?: string | undefined };
  /** Whether the program was started in a terminal, so that a generated password may be shown there once. */
  terminal: boolean;
  random?: Random;
};

/** How the first administrator signs in; the password only when it was generated and may be shown. */
type AdminNotice = { email: string; passwordFile?: string; password?: string };

/**
 * Brings schema and signing key into being, and the first administrator when there is none. Safe to call at every
 * start and by several instances at once.
 * @throws start error when the keys of the database are encrypted with others than ours, when ADMIN_EMAIL or ADMIN_PASSWORD will not do or the data folder cannot be written to
 */
export async function prepareIdentity(options: PrepareOptions): Promise<{ firstAdmin?: AdminNotice }> {
  const { pool, log, now, encryptor, keyRotation, dataDir, admin, terminal, random = randomBytes } = options;
  // A migration takes as long as it takes, and so do those of other instances that it waits for.
  const db = openKysely<IdentityTables>(pool, { timeoutMs: 0 });
  await migrate({ db, schema: SCHEMA, migrations: identityMigrations, log });
  await encryptPlainKeys(db, encryptor);
  await assertKeysDecrypt(db, encryptor, now);
  await rotateKeys(db, { now, encryptor, every: keyRotation });
  const passwordFile = join(dataDir, PASSWORD_FILE);
  const keepPassword = (password: string) => writePasswordFile(passwordFile, dataDir, password);
  const made = await ensureFirstAdmin({ db, random, now, keepPassword }, admin);
  if (!made) return {};
  const { email, password, generated } = made;
  log.info(generated ? { password_file: passwordFile } : {}, 'the first administrator was made');
  if (!generated) return { firstAdmin: { email } };
  return { firstAdmin: { email, passwordFile, ...(terminal && { password }) } };
}

/**
 * Writes a password to a file that only its owner may read: complete and on the disk, or not at all. The file holds
 * the password and a line end.
 * @throws start error when the folder cannot be written to
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

const KEYS_FILE = 'identity-keys';

/**
 * Encrypts what the service keeps and no reader of its database should see. The label names what a value is and whose, such
 * as `signing key ${kid}`. The keys are IDENTITY_KEYS, or one made in the data folder.
 * @throws Error when the file of the data folder holds no keys
 */
export function loadEncryptor(given: { configured: readonly Buffer[]; dataDir: string }): Encryptor {
  return createEncryptor(loadKeys({ ...given, fileName: KEYS_FILE }), 'identity');
}
