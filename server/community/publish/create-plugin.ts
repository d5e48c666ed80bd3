import { randomBytes } from 'node:crypto';
import type { PublishResult } from '../../../shared/entities/review.ts';
import { holdToTokenScope } from '../auth/token-scope.ts';
import { keepFileRows, repeated, waiting, writeSubmission } from './hand-in.ts';
import { findByPackage, insertPlugin, insertVersion, lockPeople } from './store.ts';
import type { HandingIn } from './submission.ts';

/** Stands for the key that a new plugin does not get when nothing is stored. */
const DRY_RUN_KEY = 'dry-run-no-key';

/** Keys are parts of links that people share: letters and digits at their ends, so that nothing cuts them off. */
function newPluginKey(): string {
  for (;;) {
    const key = randomBytes(12).toString('base64url');
    if (/^[A-Za-z0-9].*[A-Za-z0-9]$/.test(key)) return key;
  }
}

/** Makes a plugin that nobody but its publisher and administrators sees until it passes. */
export async function createPlugin(handingIn: HandingIn): Promise<PublishResult> {
  const { trx, submission, purpose } = handingIn;
  const { caller, version, findings, externalId = null } = submission;
  if (!version) throw new TypeError('a new plugin needs a version');
  holdToTokenScope(caller, null);
  const userId = caller.user_id;
  await lockPeople(trx, caller, userId);
  const known = await findByPackage(trx, { ...version, publisherId: userId });
  if (known) return repeated(known);

  await keepFileRows(handingIn, userId);
  const at = new Date(handingIn.at);
  const key = newPluginKey();
  const listing = submission.listing(null);
  const pluginId = await insertPlugin(trx, { key, publisherId: userId, externalId, listing, at });
  const versionId = await insertVersion(trx, version, { pluginId, userId, at });
  const { note } = version;
  const handedIn = { pluginId, versionId, listing, note, findings, bringsVersion: true, hasPassed: false };
  await writeSubmission(handingIn, handedIn);
  return waiting(purpose === 'store' ? key : DRY_RUN_KEY, version.version, findings);
}
