import type { Installation } from '../../../shared/entities/plugin.ts';
import { asksForMore, permissionChanges, rightsOf } from '../../../shared/package/permission-changes.ts';
import { appError } from '../../http/errors.ts';
import type { Db } from '../schema.ts';
import {
  type AskingVersion,
  acceptVersion,
  type InstallationRow,
  readInstallationRows,
  readSeen,
  readServable,
} from './store.ts';

/** An installation with the name of its package in the file store; null: none may be had. */
type Served = { installation: Installation; file: string | null };

/** What a person has of plugins, by the ids of those that they have installed or try. */
export async function readInstallations(
  db: Db,
  userId: number,
  plugins: { ids: readonly number[] } | { key: string },
): Promise<Map<number, Served>> {
  const rows = await readInstallationRows(db, userId, plugins);
  const served = rows.map(async (row): Promise<[number, Served]> => [row.plugin_id, await serve(db, row)]);
  return new Map(await Promise.all(served));
}

/**
 * Accepts what the version on offer asks for.
 * @throws PLUGIN_NOT_FOUND for what the caller has not installed, CONFLICT when another version is on offer by now
 */
export async function acceptUpdate(
  db: Db,
  asked: { userId: number; pluginKey: string; version: string },
): Promise<Installation> {
  const isAccepted = await acceptVersion(db, asked);
  const [found] = (await readInstallations(db, asked.userId, { key: asked.pluginKey })).values();
  if (!found || found.installation.trial) throw appError('PLUGIN_NOT_FOUND');
  if (!isAccepted) throw appError('CONFLICT');
  return found.installation;
}

/**
 * Checks before an install that what is live asks for no more than what the person has seen. A version that comes after
 * the check is offered to them, since the install notes the one that they have seen.
 * @throws CONFLICT when it asks for more, or nobody can have seen that version
 */
export async function checkSeen(
  db: Db,
  { version, ...asked }: { userId: number; pluginKey: string; version: string | undefined },
): Promise<void> {
  const found = version === undefined ? undefined : await readSeen(db, { ...asked, version });
  if (!found) return;
  const { current, seen } = found;
  if (!seen || asksForMore(changes(seen, current))) throw appError('CONFLICT');
}

/**
 * What reaches an installer is worked out when they ask, so publishing writes nothing for them: the current version,
 * unless it asks for more than they have accepted; then the newest one before that does not.
 */
async function serve(db: Db, row: InstallationRow): Promise<Served> {
  const { current, accepted, submitted } = row;
  if (!row.is_installed) {
    const trial = row.is_deleted ? 'deleted' : row.is_refused ? 'rejected' : 'waiting';
    return whole(submitted, trial);
  }
  const more = current && changes(accepted, current);
  if (!current || !more || !asksForMore(more)) return whole(current, null);
  const had = (await readServable(db, row)).find((one) => !asksForMore(changes(accepted, one)));
  const { domains, permissions } = more;
  const update = {
    version: current.version,
    domains: domains.added,
    permissions: permissions.added,
  };
  const installation = { version: had?.version ?? '', update_available: true, update, trial: null };
  return { installation, file: had?.file ?? null };
}

function whole(served: AskingVersion | null, trial: Installation['trial']): Served {
  const version = served?.version ?? '';
  return {
    installation: { version, update_available: false, update: null, trial },
    file: served?.file ?? null,
  };
}

function changes(before: AskingVersion | null, after: AskingVersion) {
  return permissionChanges(
    before && rightsOf(before.manifest, before.domains),
    rightsOf(after.manifest, after.domains),
  );
}
