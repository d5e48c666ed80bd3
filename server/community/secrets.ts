import { createEncryptor, type Encryptor } from '../encryption/encryptor.ts';
import { loadKeys } from '../encryption/keys.ts';

/** Name of the key file in the data folder. */
const KEYS_FILE = 'account-keys';

/**
 * Encrypts secrets of one purpose for the database with ACCOUNT_KEYS, or with a key that is made in the data folder.
 * @throws Error for a key file that is damaged
 */
export function loadSecretEncryptor(
  purpose: 'third-party accounts' | 'approval keys',
  { configured = [], dataDir }: { configured?: readonly Buffer[] | undefined; dataDir: string },
): Encryptor {
  return createEncryptor(loadKeys({ configured, dataDir, fileName: KEYS_FILE }), purpose);
}
