import { createEncryptor, type Encryptor } from '../encryption/encryptor.ts';
import { loadKeys } from '../encryption/keys.ts';

const KEYS_FILE = 'identity-keys';

/**
 * Encrypts what the service keeps and no reader of its database should see. The label names what a value is and whose, such
 * as `signing key ${kid}`. The keys are IDENTITY_KEYS, or one made in the data folder.
 * @throws Error when the file of the data folder holds no keys
 */
export function loadEncryptor(given: { configured: readonly Buffer[]; dataDir: string }): Encryptor {
  return createEncryptor(loadKeys({ ...given, fileName: KEYS_FILE }), 'identity');
}
