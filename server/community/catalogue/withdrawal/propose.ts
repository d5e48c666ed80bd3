import { appError } from '../../../http/errors.ts';
import { upsertUser } from '../../people/users.ts';
import type { Db } from '../../schema.ts';
import { lockPlugin } from '../plugins/store.ts';
import { lockVersions } from '../versions/store.ts';
import { type ProposalTarget, upsertProposal } from './proposal-store.ts';
import type { NewWithdrawal, Withdrawing } from './store.ts';

/**
 * Proposes to withdraw or restore; another administrator confirms it.
 * @returns false if another administrator has proposed something for it
 * @throws PLUGIN_NOT_FOUND, VERSION_NOT_FOUND
 */
export async function propose(
  trx: Db,
  asked: { pluginKey: string; version?: string | undefined } | { publisherId: number },
  withdrawal: NewWithdrawal | null,
  { caller, at }: Withdrawing,
): Promise<boolean> {
  const target = 'publisherId' in asked ? asked : await findTarget(trx, asked);
  await upsertUser(trx, caller);
  return upsertProposal(trx, target, { by: caller.user_id, at, withdrawal });
}

async function findTarget(
  trx: Db,
  { pluginKey, version }: { pluginKey: string; version?: string | undefined },
): Promise<ProposalTarget> {
  const plugin = await lockPlugin(trx, pluginKey, { isDeletedToo: true });
  if (!plugin) throw appError('PLUGIN_NOT_FOUND');
  if (version === undefined) return { pluginId: plugin.id, versionId: null };
  const versions = await lockVersions(trx, plugin.id, { isDeletedToo: true });
  const found = versions.find((one) => one.version === version);
  if (!found) throw appError('VERSION_NOT_FOUND');
  return { pluginId: plugin.id, versionId: found.id };
}
