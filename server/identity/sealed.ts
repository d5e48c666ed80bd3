import { loadKeys } from '../sealing/keys.ts';
import { createSealer, type Sealer } from '../sealing/seal.ts';

const KEYS_FILE = 'identity-keys';

/**
 * Seals what the service keeps and no reader of its database should see. The label names what a value is and whose, such
 * as `signing key ${kid}`. The keys are IDENTITY_KEYS, or one made in the data folder.
 * @throws Error when the file of the data folder holds no keys
 */
export function openSealer(given: { configured: readonly Buffer[]; dataDir: string }): Sealer {
  return createSealer(loadKeys({ ...given, fileName: KEYS_FILE }), 'identity');
}
