import type { Installation } from '../../../shared/entities/plugin.ts';
import { asksForMore, permissionChanges, rightsOf } from '../../../shared/package/permission-changes.ts';
import { appError } from '../../http/errors.ts';
import type { Db } from '../schema.ts';
import {
  acceptVersion,
  type InstallationRow,
  readInstallationRows,
  readSeenVersion,
  readServable,
  type VersionRights,
} from './store.ts';

/** An installation with the file name of its package; null if no package is available. */
type ResolvedInstallation = { installation: Installation; file: string | null };

/** Reads a user's installations by plugin id. */
export async function readInstallations(
  db: Db,
  userId: number,
  plugins: { ids: readonly number[] } | { key: string },
): Promise<Map<number, ResolvedInstallation>> {
  const rows = await readInstallationRows(db, userId, plugins);
  const served = rows.map(
    async (row): Promise<[number, ResolvedInstallation]> => [
      row.plugin_id,
      await resolveInstallation(db, row),
    ],
  );
  return new Map(await Promise.all(served));
}

/**
 * Accepts the permissions of the offered version.
 * @throws PLUGIN_NOT_FOUND if the caller has not installed the plugin, CONFLICT if another version is offered by now
 */
export async function acceptUpdate(
  db: Db,
  target: { userId: number; pluginKey: string; version: string },
): Promise<Installation> {
  const isAccepted = await acceptVersion(db, target);
  const [found] = (await readInstallations(db, target.userId, { key: target.pluginKey })).values();
  if (!found || found.installation.trial) throw appError('PLUGIN_NOT_FOUND');
  if (!isAccepted) throw appError('CONFLICT');
  return found.installation;
}

/**
 * Checks before an install that the current version requests no more permissions than the version that the user has seen. A
 * version published after this check is offered as an update, since the install stores the seen version.
 * @throws CONFLICT if it requests more, or the seen version was never published
 */
export async function checkSeenVersion(
  db: Db,
  { version, ...target }: { userId: number; pluginKey: string; version: string | undefined },
): Promise<void> {
  const found = version === undefined ? undefined : await readSeenVersion(db, { ...target, version });
  if (!found) return;
  const { current, seen } = found;
  if (!seen || asksForMore(changes(seen, current))) throw appError('CONFLICT');
}

/**
 * Determines the version for an install on each request, so that publishing writes nothing per install: the current version,
 * or if it requests more permissions than accepted, the newest earlier version that does not.
 */
async function resolveInstallation(db: Db, row: InstallationRow): Promise<ResolvedInstallation> {
  const { current, accepted, submitted } = row;
  if (!row.is_installed) {
    const trial = row.is_deleted ? 'deleted' : row.is_refused ? 'rejected' : 'waiting';
    return withoutUpdate(submitted, trial);
  }
  const more = current && changes(accepted, current);
  if (!current || !more || !asksForMore(more)) return withoutUpdate(current, null);
  const earlier = (await readServable(db, row)).find((one) => !asksForMore(changes(accepted, one)));
  const { domains, permissions } = more;
  const update = {
    version: current.version,
    domains: domains.added,
    permissions: permissions.added,
  };
  const installation = { version: earlier?.version ?? '', update_available: true, update, trial: null };
  return { installation, file: earlier?.file ?? null };
}

function withoutUpdate(served: VersionRights | null, trial: Installation['trial']): ResolvedInstallation {
  const version = served?.version ?? '';
  return {
    installation: { version, update_available: false, update: null, trial },
    file: served?.file ?? null,
  };
}

function changes(before: VersionRights | null, after: VersionRights) {
  return permissionChanges(
    before && rightsOf(before.manifest, before.domains),
    rightsOf(after.manifest, after.domains),
  );
}
