import type { FastifyInstance } from 'fastify';
import { contract } from '../../../../shared/contract.ts';
import type { BodyOf, DataOf } from '../../../../shared/route.ts';
import { appError } from '../../../http/errors.ts';
import { implement } from '../../../http/implement.ts';
import { recordChange } from '../../people/audit-log/store.ts';
import { type Caller, callerOf } from '../../people/auth/caller.ts';
import { insertNotices, noticeNames } from '../../people/notices/store.ts';
import { isPublisher } from '../../people/policy.ts';
import { requiredText } from '../../plain-text.ts';
import type { Db } from '../../schema.ts';
import { type LockedPlugin, lockPlugin } from '../plugins/store.ts';
import { appendToLog } from '../transparency/log-store.ts';
import { lockVersions, setCurrentVersion } from '../versions/store.ts';
import { greatestShown } from '../versions/versions.ts';
import { type NewWithdrawal, setPluginWithdrawn, setVersionWithdrawn } from './store.ts';

type Route = typeof contract.withdrawPlugin;

/**
 * Withdraws a plugin or one of its versions from everybody, whatever its state, or restores it; a repeated call changes
 * nothing. The greatest version that is left becomes current; without one, nobody sees the plugin.
 * @throws PLUGIN_NOT_FOUND, VERSION_NOT_FOUND; VALIDATION_FAILED for a withdrawal without a reason
 */
export async function withdraw(
  db: Db,
  { plugin_key: pluginKey, version, is_withdrawn: isWithdrawn, reason = '' }: BodyOf<Route>,
  caller: Caller,
  at: Date,
): Promise<DataOf<Route>> {
  const to: NewWithdrawal = isWithdrawn
    ? { by: caller.user_id, reason: requiredText(reason, '/reason'), at }
    : null;
  return db.transaction().execute(async (trx) => {
    const plugin = await lockPlugin(trx, pluginKey, { isDeletedToo: true });
    if (!plugin) throw appError('PLUGIN_NOT_FOUND');
    const isChanged =
      version === undefined
        ? await setPluginWithdrawn(trx, plugin.id, to)
        : await withdrawVersion(trx, plugin.id, version, to);
    if (isChanged) {
      const target = { pluginKey, plugin, version };
      await record(trx, target, to, caller);
      if (to) await notifyPublisher(trx, target, to, caller);
      await appendToLog(
        trx,
        [{ kind: to ? 'withdraw' : 'restore', pluginKey, version: version ?? null }],
        at,
      );
    }
    return {
      plugin_key: pluginKey,
      withdrawal: to && { reason: to.reason, withdrawn_at: to.at.toISOString() },
    };
  });
}

async function withdrawVersion(
  trx: Db,
  pluginId: number,
  version: string,
  to: NewWithdrawal,
): Promise<boolean> {
  const versions = await lockVersions(trx, pluginId, { isDeletedToo: true });
  const changed = versions.find((one) => one.version === version);
  if (!changed) throw appError('VERSION_NOT_FOUND');
  if (!(await setVersionWithdrawn(trx, changed.id, to))) return false;
  const hasCurrent = versions.some((one) => one.is_current);
  if (to && changed.is_current) {
    await setCurrentVersion(trx, pluginId, greatestShown(versions, changed)?.id ?? null);
  } else if (!to && !hasCurrent && changed.has_passed && !changed.is_hidden) {
    await setCurrentVersion(trx, pluginId, changed.id);
  }
  return true;
}

type Target = { pluginKey: string; plugin: LockedPlugin; version: string | undefined };

function record(trx: Db, { pluginKey, plugin, version }: Target, to: NewWithdrawal, caller: Caller) {
  const kind = version === undefined ? 'plugin' : 'version';
  return recordChange(trx, caller, {
    action: `${kind}.${to ? 'withdraw' : 'restore'}`,
    targetKind: 'plugin',
    targetId: pluginKey,
    targetName: plugin,
    detail: { ...(version !== undefined && { version }), ...(to && { reason: to.reason }) },
  });
}

async function notifyPublisher(
  trx: Db,
  { pluginKey, plugin, version }: Target,
  { reason, at }: NonNullable<NewWithdrawal>,
  caller: Caller,
): Promise<void> {
  if (isPublisher(caller, plugin)) return;
  const data = {
    plugin_key: pluginKey,
    ...noticeNames(plugin),
    reason,
    ...(version !== undefined && { version }),
  };
  await insertNotices(trx, [{ userId: plugin.publisher_id, kind: 'plugin_withdrawn', data }], at);
}

/** Withdrawal of plugins and versions by administrators. */
export function withdrawalRoutes(app: FastifyInstance): void {
  const { db, clock: now } = app;
  implement(app, contract.withdrawPlugin, ({ body, request }) =>
    withdraw(db, body, callerOf(request), new Date(now())),
  );
}
