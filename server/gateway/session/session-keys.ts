import { loadKeys } from '../../sealing/keys.ts';

/** Keys that seal sessions: the configured ones, or one generated once into the data folder (design section 4). */
export function loadSessionKeys(given: { configured: readonly Buffer[]; dataDir: string }): Buffer[] {
  return loadKeys({ ...given, fileName: 'session-keys' });
}
