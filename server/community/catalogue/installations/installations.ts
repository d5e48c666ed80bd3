import type { Hold, Installation, InstalledDeprecation } from '../../../../shared/entities/plugin.ts';
import type { Language } from '../../../../shared/languages.ts';
import { type Host, readHost, readHostRanges, worksIn } from '../../../../shared/package/hosts.ts';
import { asksForMore, permissionChanges, rightsOf } from '../../../../shared/package/permission-changes.ts';
import { appError } from '../../../http/errors.ts';
import { refusedAt } from '../../plain-text.ts';
import type { Db } from '../../schema.ts';
import { toDeprecation } from '../deprecation/deprecated.ts';
import { NO_PROOF } from '../transparency/proof.ts';
import { refuseWithdrawn, toWithdrawal, type Withdrawn } from '../withdrawal/withdrawn.ts';
import {
  acceptVersion,
  type InstallationRow,
  readInstallationRows,
  readPinnable,
  readSeenVersion,
  readServable,
  type ServableVersion,
  setHold,
  type VersionRights,
} from './store.ts';
import { ripeAt, type UpdatePolicyAt } from './update-age.ts';

/** An installation with the version that is delivered; without one, what is withdrawn, or null if none is available. */
export type ResolvedInstallation = {
  installation: Installation;
  served: VersionRights | null;
  /** What would be delivered if its user accepted everything. */
  offered: VersionRights | null;
  withdrawn: Withdrawn | null;
  /** In place of `served`: the newest version, which does not work in the tool that asks, like all others. */
  incompatible: VersionRights | null;
  /** A newer version that is not old enough yet. */
  young: VersionRights | null;
  /** When the next version is old enough, in milliseconds since 1970; null if none waits. */
  ripeAt: number | null;
};

/** Who asks: the language of texts, the design tool that is to run what it gets, and how old updates must be. */
export type InstallationReader = { language: Language; host?: Host | undefined; updates: UpdatePolicyAt };

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
  target: { userId: number; pluginKey: string; version: string },
  reader: InstallationReader,
): Promise<Installation> {
  const find = async () =>
    (await readInstallations(db, target.userId, { key: target.pluginKey }, reader)).values().next().value;
  const before = await find();
  const isAccepted = await acceptVersion(db, {
    ...target,
    offered: before?.offered?.id ?? null,
    young: before?.young?.id ?? null,
  });
  const found = await find();
  if (!found || found.installation.trial) throw appError('PLUGIN_NOT_FOUND');
  if (!isAccepted) throw appError('CONFLICT');
  return found.installation;
}

/**
 * Pins an install to a version, pauses its updates at the installed one, or lets them go on.
 * @throws PLUGIN_NOT_FOUND if the caller has not installed the plugin, VERSION_NOT_FOUND for an unknown or hidden version,
 * VERSION_WITHDRAWN, PLUGIN_WITHDRAWN; CONFLICT for a version with more rights than the caller has accepted
 */
export async function holdUpdates(
  db: Db,
  target: { userId: number; pluginKey: string },
  { hold, version, ...reader }: { hold: Hold | null; version?: string | undefined } & InstallationReader,
): Promise<Installation> {
  if (version !== undefined && hold !== 'pinned') throw refusedAt('/version', 'goes with a pin');
  const find = async () => {
    const installations = await readInstallations(db, target.userId, { key: target.pluginKey }, reader);
    const found = installations.values().next().value;
    if (!found || found.installation.trial) throw appError('PLUGIN_NOT_FOUND');
    return found.installation;
  };
  const { version: installed } = await find();
  if (hold === null) await setHold(db, target, null);
  else {
    const pinnable = await readPinnable(db, { ...target, version: version ?? installed }, installed);
    if (!pinnable) throw appError('VERSION_NOT_FOUND');
    const { accepted, wanted, withdrawn } = pinnable;
    refuseWithdrawn(withdrawn, reader.language);
    if (asksForMore(changes(accepted, wanted))) throw appError('CONFLICT');
    await setHold(db, target, { kind: hold, versionId: wanted.id });
  }
  return find();
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
 * The version that an install gets in a tool in which every version works; null without one.
 * @param servable of its plugin, newest first
 */
export function servedVersion(
  row: InstallationRow,
  servable: readonly ServableVersion[],
  updates: UpdatePolicyAt,
): string | null {
  const last = Math.max(row.current?.id ?? 0, row.accepted?.id ?? 0);
  const upTo = servable.filter(({ id }) => id <= last);
  const { version } = resolveInstallation(row, upTo, { language: 'en-US', updates }).installation;
  return version === '' ? null : version;
}

/** Whether earlier versions are needed to tell which one is delivered. */
function needsEarlier(row: InstallationRow, reader: InstallationReader): boolean {
  const { is_installed, current, accepted, hold, held } = row;
  if (!is_installed || !current) return false;
  const isHeld = hold === 'paused' && held !== null && held.id !== current.id;
  return (
    isHeld ||
    asksForMore(changes(accepted, current)) ||
    !fits(current, reader) ||
    isYoung(current, row, reader)
  );
}

/**
 * Whether a version is not old enough to replace what a user has: it was approved too short a time ago, is newer than what
 * they have installed or accepted themselves, and repairs nothing that was withdrawn.
 */
function isYoung(
  version: VersionRights & { is_security?: boolean },
  { accepted, min_age_days: own }: InstallationRow,
  { updates }: InstallationReader,
): boolean {
  if (version.is_security || (accepted && version.id <= accepted.id)) return false;
  return ripeAt(version, { policy: updates, own }) > updates.now;
}

function fits({ host_range }: VersionRights, { host }: InstallationReader): boolean {
  return !host || worksIn(readHostRanges(host_range), host);
}

/**
 * Versions that an install may get, the best first: those up to the current one that are old enough, then what was accepted,
 * though its publisher may have hidden it, then the others, so that what is withdrawn is replaced all the same. With paused
 * updates, before them the security releases since, the version that is kept, and earlier ones.
 */
function candidatesOf(
  row: InstallationRow,
  newest: readonly ServableVersion[],
  young: readonly ServableVersion[],
): readonly VersionRights[] {
  const { accepted, hold, held } = row;
  const ripe = newest.filter((one) => !young.includes(one) && one.file !== null);
  const installed = accepted?.file ? [accepted] : [];
  const usual = young.length === 0 ? newest : [...ripe, ...installed, ...young];
  if (hold !== 'paused' || !held) return usual;
  return [
    ...newest.filter((one) => one.id > held.id && one.is_security),
    ...(held.file === null ? [] : [held]),
    ...newest.filter((one) => one.id < held.id && one.file !== null),
    ...usual,
  ];
}

/** Versions up to the current one, the newest first. */
function newestOf({ current }: InstallationRow, servable: readonly ServableVersion[]): ServableVersion[] {
  if (!current) return [];
  const earlier = servable.filter((one) => one.id < current.id);
  return [servable.find((one) => one.id === current.id) ?? { ...current, is_security: false }, ...earlier];
}

/**
 * Determines the version for an install on each request, so that publishing writes nothing per install: the current version,
 * or the newest earlier one that is old enough and works in the tool; if it requests more permissions than accepted, the newest one that does
 * not; or the one that the user stays with. Nothing of a withdrawn plugin is delivered, nor a withdrawn version, pinned or not.
 */
function resolveInstallation(
  row: InstallationRow,
  servable: readonly ServableVersion[],
  reader: InstallationReader,
): ResolvedInstallation {
  const { is_installed: isInstalled, accepted, hold, held } = row;
  const pinned = hold === 'pinned' ? held : null;
  const withdrawn = pinned ? row.held_withdrawn : row.withdrawn;
  const trial = row.is_deleted ? 'deleted' : row.is_refused ? 'rejected' : 'waiting';
  const own = pinned ?? (isInstalled ? null : row.submitted);
  const newest = own ? [] : newestOf(row, servable);
  const young = newest.filter((one) => isYoung(one, row, reader));
  const candidates = own ? [own] : candidatesOf(row, newest, young);
  const offered = candidates.find((one) => fits(one, reader)) ?? null;
  const update = !own && offered ? updateOf(accepted, offered) : null;
  const isAllowed = (one: VersionRights) => fits(one, reader) && !asksForMore(changes(accepted, one));
  const served = (update ? [...candidates, ...servable].find(isAllowed) : offered) ?? null;
  const isPluginWithdrawn = withdrawn?.code === 'PLUGIN_WITHDRAWN';
  const file = isPluginWithdrawn ? null : (served?.file ?? null);
  const withheld = file === null ? withdrawn : null;
  const best = candidates[0] ?? null;
  const waiting = hold ? undefined : young.find((one) => fits(one, reader) && one.id > (served?.id ?? 0));
  const ripe = (one: VersionRights) => ripeAt(one, { policy: reader.updates, own: row.min_age_days });
  return {
    installation: {
      version: withheld ? '' : (served?.version ?? ''),
      update_available: update !== null && !isPluginWithdrawn,
      update: isPluginWithdrawn ? null : update,
      trial: isInstalled ? null : trial,
      hold: hold && held && { kind: hold, version: held.version },
      ...(waiting &&
        !isPluginWithdrawn && {
          waiting: { version: waiting.version, from: new Date(ripe(waiting)).toISOString() },
        }),
      ...(withheld && { withdrawal: toWithdrawal(withheld, reader.language) }),
      ...(row.deprecation && { deprecation: toOffer(row.deprecation, accepted, reader.language) }),
      ...((withheld ? null : served?.proof) ?? NO_PROOF),
    },
    served: file === null ? null : served,
    offered,
    withdrawn: withheld,
    incompatible: withheld || offered || !best?.file ? null : best,
    young: young[0] ?? null,
    ripeAt: young.length > 0 ? Math.min(...young.map(ripe)) : null,
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
