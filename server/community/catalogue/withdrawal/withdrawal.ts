import type { FastifyInstance, FastifyRequest } from 'fastify';
import { contract } from '../../../../shared/contract.ts';
import { FALLBACK_LANGUAGE, type Language, textIn } from '../../../../shared/languages.ts';
import type { BodyOf, DataOf } from '../../../../shared/route.ts';
import { appError } from '../../../http/errors.ts';
import { implement } from '../../../http/implement.ts';
import { languageOf } from '../../language.ts';
import { recordChange } from '../../people/audit-log/store.ts';
import { callerOf } from '../../people/auth/caller.ts';
import { insertNotices, noticeNames } from '../../people/notices/store.ts';
import { isPublisher } from '../../people/policy.ts';
import { plainTexts, refusedAt } from '../../plain-text.ts';
import type { Db } from '../../schema.ts';
import { type LockedPlugin, lockPlugin } from '../plugins/store.ts';
import { appendToLog } from '../transparency/log-store.ts';
import { lockVersions, setCurrentVersion } from '../versions/store.ts';
import { greatestShown } from '../versions/versions.ts';
import { propose } from './propose.ts';
import {
  type NewWithdrawal,
  setPluginWithdrawn,
  setVersionWithdrawn,
  type WithdrawalChange,
  type Withdrawing,
} from './store.ts';
import { toWithdrawal } from './withdrawn.ts';

type Route = typeof contract.withdrawPlugin;

/**
 * The withdrawal that a request asks for; null to restore.
 * @param pointer of the object with the fields
 * @throws VALIDATION_FAILED for a withdrawal without reason, text or `must_stop`
 */
export function askedWithdrawal(
  { is_withdrawn, reason, text = {}, must_stop: mustStop }: Omit<BodyOf<Route>, 'plugin_key' | 'version'>,
  { pointer = '', isOfPublisher = false } = {},
): NewWithdrawal | null {
  if (!is_withdrawn) return null;
  if (reason === undefined) throw refusedAt(`${pointer}/reason`, 'must be given');
  if (mustStop === undefined) throw refusedAt(`${pointer}/must_stop`, 'must be given');
  const texts = plainTexts(text, `${pointer}/text`);
  if (Object.keys(texts).length === 0) throw refusedAt(`${pointer}/text`, 'must not be empty');
  return { reason, texts, mustStop, isOfPublisher };
}

/**
 * Withdraws a plugin or one of its versions from everybody, whatever its state, or restores it; a repeated call changes
 * nothing. The greatest version that is left becomes current; without one, nobody sees the plugin.
 * @returns whether it has changed anything
 * @throws PLUGIN_NOT_FOUND, VERSION_NOT_FOUND
 */
export async function withdraw(
  trx: Db,
  { pluginKey, version }: { pluginKey: string; version?: string | undefined },
  withdrawal: NewWithdrawal | null,
  { caller, at, proposedBy }: Withdrawing,
): Promise<boolean> {
  const plugin = await lockPlugin(trx, pluginKey, { isDeletedToo: true });
  if (!plugin) throw appError('PLUGIN_NOT_FOUND');
  const change = { by: caller.user_id, at, withdrawal };
  const isChanged =
    version === undefined
      ? await setPluginWithdrawn(trx, plugin.id, change)
      : await withdrawVersion(trx, plugin.id, version, change);
  if (!isChanged) return false;
  const target = { pluginKey, plugin, version };
  await record(trx, target, withdrawal, { caller, proposedBy });
  if (withdrawal) await notifyPublisher(trx, target, withdrawal, { caller, at });
  await appendToLog(
    trx,
    [{ kind: withdrawal ? 'withdraw' : 'restore', pluginKey, version: version ?? null }],
    at,
  );
  return true;
}

async function withdrawVersion(
  trx: Db,
  pluginId: number,
  version: string,
  change: WithdrawalChange,
): Promise<boolean> {
  const versions = await lockVersions(trx, pluginId, { isDeletedToo: true });
  const changed = versions.find((one) => one.version === version);
  if (!changed) throw appError('VERSION_NOT_FOUND');
  if (!(await setVersionWithdrawn(trx, { pluginId, versionId: changed.id }, change))) return false;
  const hasCurrent = versions.some((one) => one.is_current);
  if (change.withdrawal && changed.is_current) {
    await setCurrentVersion(trx, pluginId, greatestShown(versions, changed)?.id ?? null);
  } else if (!change.withdrawal && !hasCurrent && changed.has_passed && !changed.is_hidden) {
    await setCurrentVersion(trx, pluginId, changed.id);
  }
  return true;
}

type Target = { pluginKey: string; plugin: LockedPlugin; version: string | undefined };

function record(
  trx: Db,
  { pluginKey, plugin, version }: Target,
  withdrawal: NewWithdrawal | null,
  { caller, proposedBy }: Pick<Withdrawing, 'caller'> & { proposedBy: number | undefined },
) {
  const kind = version === undefined ? 'plugin' : 'version';
  return recordChange(trx, caller, {
    action: `${kind}.${withdrawal ? 'withdraw' : 'restore'}`,
    targetKind: 'plugin',
    targetId: pluginKey,
    targetName: plugin,
    detail: {
      ...(version !== undefined && { version }),
      ...(proposedBy !== undefined && { proposed_by: proposedBy }),
      ...(withdrawal && {
        withdrawal: withdrawal.reason,
        must_stop: withdrawal.mustStop,
        ...auditText(withdrawal),
      }),
    },
  });
}

/** The audit log is read by administrators of all languages: it keeps one text, in English if there is one. */
function auditText({ texts }: NewWithdrawal) {
  const { text } = textIn(texts, FALLBACK_LANGUAGE, FALLBACK_LANGUAGE);
  return { reason: text };
}

async function notifyPublisher(
  trx: Db,
  { pluginKey, plugin, version }: Target,
  { reason, texts, mustStop }: NewWithdrawal,
  { caller, at }: Withdrawing,
): Promise<void> {
  if (isPublisher(caller, plugin)) return;
  const data = {
    plugin_key: pluginKey,
    ...noticeNames(plugin),
    withdrawal: reason,
    must_stop: mustStop,
    texts,
    ...(version !== undefined && { version }),
  };
  await insertNotices(trx, [{ userId: plugin.publisher_id, kind: 'plugin_withdrawn', data }], at);
}

async function withdrawPlugin(
  db: Db,
  { plugin_key: pluginKey, version, ...asked }: BodyOf<Route>,
  { language, ...withdrawing }: Withdrawing & { language: Language },
): Promise<DataOf<Route>> {
  const withdrawal = askedWithdrawal(asked);
  await db.transaction().execute((trx) => withdraw(trx, { pluginKey, version }, withdrawal, withdrawing));
  if (!withdrawal) return { plugin_key: pluginKey, withdrawal: null };
  const { reason, texts, mustStop } = withdrawal;
  const row = { reason, texts, must_stop: mustStop, withdrawn_at: withdrawing.at.toISOString() };
  return { plugin_key: pluginKey, withdrawal: toWithdrawal(row, language) };
}

/** @throws PLUGIN_NOT_FOUND, VERSION_NOT_FOUND, CONFLICT if another administrator has proposed something for it */
async function proposePlugin(
  db: Db,
  { plugin_key: pluginKey, version, ...asked }: BodyOf<Route>,
  withdrawing: Withdrawing,
): Promise<DataOf<Route>> {
  const withdrawal = askedWithdrawal(asked);
  await db.transaction().execute(async (trx) => {
    if (!(await propose(trx, { pluginKey, version }, withdrawal, withdrawing))) throw appError('CONFLICT');
  });
  return { plugin_key: pluginKey, withdrawal: null, is_proposed: true };
}

/** Withdrawal of plugins and versions by administrators, or with WITHDRAW_FOUR_EYES the proposal of it. */
export function withdrawalRoutes(app: FastifyInstance): void {
  const { db, clock: now } = app;
  const withdrawingOf = (request: FastifyRequest) => ({ caller: callerOf(request), at: new Date(now()) });
  implement(app, contract.withdrawPlugin, ({ body, request }) =>
    app.community.fourEyes
      ? proposePlugin(db, body, withdrawingOf(request))
      : withdrawPlugin(db, body, { ...withdrawingOf(request), language: languageOf(request) }),
  );
}
