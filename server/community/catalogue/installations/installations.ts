import type { Installation, InstalledDeprecation } from '../../../../shared/entities/plugin.ts';
import type { Language } from '../../../../shared/languages.ts';
import { asksForMore, permissionChanges, rightsOf } from '../../../../shared/package/permission-changes.ts';
import { appError } from '../../../http/errors.ts';
import type { Db } from '../../schema.ts';
import { toDeprecation } from '../deprecation/deprecated.ts';
import { NO_PROOF } from '../transparency/proof.ts';
import { toWithdrawal, type Withdrawn } from '../withdrawal/withdrawn.ts';
import {
  acceptVersion,
  type InstallationRow,
  readInstallationRows,
  readSeenVersion,
  readServable,
  type VersionRights,
} from './store.ts';

/** An installation with the version that is delivered; without one, what is withdrawn, or null if none is available. */
export type ResolvedInstallation = {
  installation: Installation;
  served: VersionRights | null;
  withdrawn: Withdrawn | null;
};

/** Reads a user's installations by plugin id. */
export async function readInstallations(
  db: Db,
  userId: number,
  plugins: { ids: readonly number[] } | { key: string },
  language: Language,
): Promise<Map<number, ResolvedInstallation>> {
  const rows = await readInstallationRows(db, userId, plugins);
  const asking = rows.filter((row) => updateOf(row) !== undefined);
  const servable = await readServable(db, asking);
  return new Map(
    rows.map((row) => [row.plugin_id, resolveInstallation(row, servable.get(row.plugin_id) ?? [], language)]),
  );
}

/**
 * Accepts the permissions of the offered version.
 * @throws PLUGIN_NOT_FOUND if the caller has not installed the plugin, CONFLICT if another version is offered by now
 */
export async function acceptUpdate(
  db: Db,
  { language, ...target }: { userId: number; pluginKey: string; version: string; language: Language },
): Promise<Installation> {
  const isAccepted = await acceptVersion(db, target);
  const [found] = (await readInstallations(db, target.userId, { key: target.pluginKey }, language)).values();
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

/** The permissions that the current version requests beyond the accepted ones; undefined if there are none. */
function updateOf({ is_installed, current, accepted }: InstallationRow): Installation['update'] | undefined {
  if (!is_installed || !current) return undefined;
  const more = changes(accepted, current);
  if (!asksForMore(more)) return undefined;
  return { version: current.version, domains: more.domains.added, permissions: more.permissions.added };
}

/**
 * Determines the version for an install on each request, so that publishing writes nothing per install: the current version,
 * or if it requests more permissions than accepted, the newest earlier version that does not. Nothing of a withdrawn plugin
 * is delivered.
 */
function resolveInstallation(
  row: InstallationRow,
  servable: readonly VersionRights[],
  language: Language,
): ResolvedInstallation {
  const { is_installed: isInstalled, accepted, withdrawn } = row;
  const trial = row.is_deleted ? 'deleted' : row.is_refused ? 'rejected' : 'waiting';
  const update = updateOf(row) ?? null;
  const earlier = update && servable.find((one) => !asksForMore(changes(accepted, one)));
  const served = (update ? earlier : isInstalled ? row.current : row.submitted) ?? null;
  const isPluginWithdrawn = withdrawn?.code === 'PLUGIN_WITHDRAWN';
  const file = isPluginWithdrawn ? null : (served?.file ?? null);
  const withheld = file === null ? withdrawn : null;
  return {
    installation: {
      version: withheld ? '' : (served?.version ?? ''),
      update_available: update !== null && !isPluginWithdrawn,
      update: isPluginWithdrawn ? null : update,
      trial: isInstalled ? null : trial,
      ...(withheld && { withdrawal: toWithdrawal(withheld, language) }),
      ...(row.deprecation && { deprecation: toOffer(row.deprecation, accepted, language) }),
      ...((withheld ? null : served?.proof) ?? NO_PROOF),
    },
    served: file === null ? null : served,
    withdrawn: withheld,
  };
}

/** The deprecation with what moving to the successor asks of a user beyond what they have accepted. */
function toOffer(
  row: NonNullable<InstallationRow['deprecation']>,
  accepted: VersionRights | null,
  language: Language,
): InstalledDeprecation {
  const { successor, ...deprecation } = toDeprecation(row, language);
  if (!successor || !row.successor) return { ...deprecation, successor: null };
  const { rights, is_installed: isInstalled } = row.successor;
  const more = changes(accepted, rights);
  return {
    ...deprecation,
    successor: {
      ...successor,
      version: rights.version,
      domains: isInstalled ? [] : more.domains.added,
      permissions: isInstalled ? [] : more.permissions.added,
    },
  };
}

function changes(before: VersionRights | null, after: VersionRights) {
  return permissionChanges(
    before && rightsOf(before.manifest, before.domains),
    rightsOf(after.manifest, after.domains),
  );
}
