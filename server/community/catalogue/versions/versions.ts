import type { FastifyInstance } from 'fastify';
import compareBuild from 'semver/functions/compare-build.js';
import valid from 'semver/functions/valid.js';
import { contract } from '../../../../shared/contract.ts';
import type { BodyOf } from '../../../../shared/route.ts';
import type { ownRoutes } from '../../../../shared/routes/own.ts';
import { appError } from '../../../http/errors.ts';
import { implement } from '../../../http/implement.ts';
import { languageOf } from '../../language.ts';
import { recordChange } from '../../people/audit-log/store.ts';
import { type Caller, callerOf } from '../../people/auth/caller.ts';
import { canShowVersion, isAdmin } from '../../people/policy.ts';
import { refusedAt } from '../../plain-text.ts';
import type { Db } from '../../schema.ts';
import { findEditablePlugin } from '../plugins/access.ts';
import { lockPlugin } from '../plugins/store.ts';
import { findPackage, openPackage, sendAttachment } from './download.ts';
import { lockVersions, setCurrentVersion, setVersionHidden, type VersionSnapshot } from './store.ts';

type Change = BodyOf<(typeof ownRoutes)['changeVersion']>;

/**
 * Makes a version current, hides it or shows it again. The current version is never hidden: a version that becomes current is
 * shown, and a hidden one is replaced by the greatest of the others. What an administrator hid only administrators show; all
 * changes are in the audit log.
 * @throws PLUGIN_NOT_FOUND, FORBIDDEN, VERSION_NOT_FOUND, VERSION_NOT_PASSED, VERSION_NEEDED, VALIDATION_FAILED;
 * HIDDEN_BY_ADMIN; VERSION_WITHDRAWN for a withdrawn version as the current one
 */
async function changeVersion(db: Db, change: Change, caller: Caller): Promise<void> {
  const { is_current: isCurrent, is_hidden: isHidden } = change;
  if (isCurrent === undefined && isHidden === undefined)
    throw refusedAt('', 'is_current or is_hidden is needed');
  if (isCurrent && isHidden) throw refusedAt('', 'the current version cannot be hidden');
  const { id: pluginId } = await findEditablePlugin(db, change.plugin_key, caller);
  await db.transaction().execute(async (trx) => {
    const record = await auditLogOf(trx, change.plugin_key, caller);
    const versions = await lockVersions(trx, pluginId);
    const changed = versions.find(({ version }) => version === change.version);
    if (!changed) throw appError('VERSION_NOT_FOUND');
    if (!changed.has_passed) throw appError('VERSION_NOT_PASSED');
    if (isCurrent && changed.is_withdrawn) throw appError('VERSION_WITHDRAWN');
    await changeHidden(trx, changed, { isHidden: isHidden ?? false, caller, record });
    const current = isCurrent
      ? changed
      : isHidden && changed.is_current
        ? greatestShown(versions, changed)
        : undefined;
    if (isHidden && changed.is_current && !current) throw appError('VERSION_NEEDED');
    if (!current || current.is_current) return;
    await setCurrentVersion(trx, pluginId, current.id);
    await record('version.current', current);
  });
}

/** @throws HIDDEN_BY_ADMIN to a publisher who would show what an administrator hid */
async function changeHidden(
  trx: Db,
  changed: VersionSnapshot,
  { isHidden, caller, record }: { isHidden: boolean; caller: Caller; record: RecordVersion },
): Promise<void> {
  const isByAdmin = isAdmin(caller);
  const isTakenOver = isHidden && isByAdmin && !changed.is_hidden_by_admin;
  if (changed.is_hidden === isHidden && !isTakenOver) return;
  if (!canShowVersion(caller, changed)) throw appError('HIDDEN_BY_ADMIN');
  await setVersionHidden(trx, changed.id, isHidden ? { by: caller.user_id, isAdmin: isByAdmin } : null);
  await record(isHidden ? 'version.hide' : 'version.show', changed);
}

type RecordVersion = (action: string, changed: VersionSnapshot) => Promise<void>;

/** Records changes in the audit log, those of publishers too: they may concern what an administrator decided. */
async function auditLogOf(trx: Db, pluginKey: string, caller: Caller): Promise<RecordVersion> {
  const plugin = await lockPlugin(trx, pluginKey);
  if (!plugin) throw appError('PLUGIN_NOT_FOUND');
  return (action, { version }) =>
    recordChange(trx, caller, {
      action,
      targetKind: 'plugin',
      targetId: pluginKey,
      targetName: plugin,
      detail: { version },
    });
}

/** The greatest version besides one that can be current; undefined if there is none. */
export function greatestShown(
  versions: readonly VersionSnapshot[],
  besides: VersionSnapshot,
): VersionSnapshot | undefined {
  const shown = versions.filter(
    (other) => other !== besides && other.has_passed && !other.is_hidden && !other.is_withdrawn,
  );
  const greatest = greatestVersion(shown.map(({ version }) => version));
  return shown.find(({ version }) => version === greatest);
}

/** The greatest version by the precedence of Semantic Versioning 2.0.0; others are only used where none is valid. */
export function greatestVersion(versions: readonly string[]): string | undefined {
  const numbers = versions.filter((version) => valid(version) !== null);
  return numbers.toSorted(compareBuild).at(-1) ?? versions.at(-1);
}

/** Publishers change approved versions; administrators download any version. */
export function versionsRoutes(app: FastifyInstance): void {
  const { db, files } = app;
  implement(app, contract.changeVersion, async ({ body, request }) => {
    await changeVersion(db, body, callerOf(request));
    return {};
  });
  implement(app, contract.downloadPlugin, async ({ params, query, request, reply }) => {
    const name = await findPackage(db, params.key, query.version, languageOf(request));
    const open = async () => {
      const file = await openPackage(files, name);
      return { bytes: file.bytes, content: file.stream() };
    };
    return sendAttachment({ pluginKey: params.key, etag: `"${name}"`, open }, request, reply);
  });
}
