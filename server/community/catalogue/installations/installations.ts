import type { Installation, InstalledDeprecation } from '../../../../shared/entities/plugin.ts';
import type { Language } from '../../../../shared/languages.ts';
import { type Host, readHost, readHostRanges, worksIn } from '../../../../shared/package/hosts.ts';
import { asksForMore, permissionChanges, rightsOf } from '../../../../shared/package/permission-changes.ts';
import { appError } from '../../../http/errors.ts';
import { refusedAt } from '../../plain-text.ts';
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
  /** What would be delivered if its user accepted everything. */
  offered: VersionRights | null;
  withdrawn: Withdrawn | null;
  /** In place of `served`: the newest version, which does not work in the tool that asks, like all others. */
  incompatible: VersionRights | null;
};

/** Who asks: the language of texts, and the design tool that is to run what it gets. */
export type InstallationReader = { language: Language; host?: Host | undefined };

/** @throws VALIDATION_FAILED for a version that semver does not read */
export function hostOf({ host: text }: { host?: string | undefined }): Host | undefined {
  const host = text === undefined ? undefined : readHost(text);
  if (text !== undefined && !host)
    throw refusedAt('/host', 'must be a name and a version, such as pixso/4.2.1');
  return host;
}

/** Reads a user's installations by plugin id. */
export async function readInstallations(
  db: Db,
  userId: number,
  plugins: { ids: readonly number[] } | { key: string },
  reader: InstallationReader,
): Promise<Map<number, ResolvedInstallation>> {
  const rows = await readInstallationRows(db, userId, plugins);
  const servable = await readServable(
    db,
    rows.filter((row) => needsEarlier(row, reader)),
  );
  return new Map(
    rows.map((row) => [row.plugin_id, resolveInstallation(row, servable.get(row.plugin_id) ?? [], reader)]),
  );
}

/**
 * Accepts the permissions of the offered version.
 * @throws PLUGIN_NOT_FOUND if the caller has not installed the plugin, CONFLICT if another version is offered by now
 */
export async function acceptUpdate(
  db: Db,
  { language, host, ...target }: { userId: number; pluginKey: string; version: string } & InstallationReader,
): Promise<Installation> {
  const find = async () =>
    (await readInstallations(db, target.userId, { key: target.pluginKey }, { language, host }))
      .values()
      .next().value;
  const before = host && (await find());
  const isAccepted = await acceptVersion(db, { ...target, offered: before?.offered?.id ?? null });
  const found = await find();
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

/** Whether earlier versions are needed to tell which one is delivered. */
function needsEarlier(
  { is_installed, current, accepted }: InstallationRow,
  reader: InstallationReader,
): boolean {
  return (
    is_installed && current !== null && (asksForMore(changes(accepted, current)) || !fits(current, reader))
  );
}

function fits({ host_range }: VersionRights, { host }: InstallationReader): boolean {
  return !host || worksIn(readHostRanges(host_range), host);
}

/** The version that an install would get if its user accepted everything: the newest one that works in the tool. */
function newestFitting(
  current: VersionRights,
  servable: readonly VersionRights[],
  reader: InstallationReader,
): VersionRights | undefined {
  if (fits(current, reader)) return current;
  return servable.find((one) => one.id < current.id && fits(one, reader));
}

/**
 * Determines the version for an install on each request, so that publishing writes nothing per install: the current version,
 * or the newest earlier one that works in the tool; if it requests more permissions than accepted, the newest one that does
 * not. Nothing of a withdrawn plugin is delivered.
 */
function resolveInstallation(
  row: InstallationRow,
  servable: readonly VersionRights[],
  reader: InstallationReader,
): ResolvedInstallation {
  const { is_installed: isInstalled, accepted, withdrawn } = row;
  const trial = row.is_deleted ? 'deleted' : row.is_refused ? 'rejected' : 'waiting';
  const newest = isInstalled ? row.current : row.submitted;
  const offered = newest && newestFitting(newest, servable, reader);
  const update = isInstalled && offered ? updateOf(accepted, offered) : null;
  const isAllowed = (one: VersionRights) => fits(one, reader) && !asksForMore(changes(accepted, one));
  const served = (update ? servable.find(isAllowed) : offered) ?? null;
  const isPluginWithdrawn = withdrawn?.code === 'PLUGIN_WITHDRAWN';
  const file = isPluginWithdrawn ? null : (served?.file ?? null);
  const withheld = file === null ? withdrawn : null;
  return {
    installation: {
      version: withheld ? '' : (served?.version ?? ''),
      update_available: update !== null && !isPluginWithdrawn,
      update: isPluginWithdrawn ? null : update,
      trial: isInstalled ? null : trial,
      ...(withheld && { withdrawal: toWithdrawal(withheld, reader.language) }),
      ...(row.deprecation && { deprecation: toOffer(row.deprecation, accepted, reader.language) }),
      ...((withheld ? null : served?.proof) ?? NO_PROOF),
    },
    served: file === null ? null : served,
    offered: offered ?? null,
    withdrawn: withheld,
    incompatible: withheld || offered || !newest?.file ? null : newest,
  };
}

/** The permissions that a version requests beyond the accepted ones; null if there are none. */
function updateOf(accepted: VersionRights | null, offered: VersionRights): Installation['update'] {
  const more = changes(accepted, offered);
  if (!asksForMore(more)) return null;
  return { version: offered.version, domains: more.domains.added, permissions: more.permissions.added };
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
