import { type ClientError, clientError, isClientError } from './errors.ts';
import type { Told } from './events.ts';
import type { InstalledPlugin, PackageOf, Packages } from './packages.ts';
import type { CatalogueChange, InstalledItem } from './wire.ts';

/** A plugin after a look at the site, and what went wrong with its package. */
type Followed = { plugin: InstalledPlugin; error?: ClientError };

/**
 * Loads what a plugin delivers now. Whatever goes wrong with a new package, the one that was checked before stays, unless it
 * was withdrawn and must stop.
 */
export async function follow(
  item: InstalledItem,
  {
    before,
    packages,
    signal,
  }: { before: InstalledPlugin | undefined; packages: Packages; signal?: AbortSignal | undefined },
): Promise<Followed> {
  const earlier = before?.runnable ?? null;
  if (item.state === 'withdrawn') {
    const stays = item.withdrawal?.must_stop === false;
    return { plugin: { ...item, runnable: stays ? earlier : null } };
  }
  const { plugin_key, version, package: delivered } = item;
  if (delivered === null) return { plugin: { ...item, runnable: earlier } };
  const wanted = { plugin_key, version, package: delivered };
  try {
    await packages.load(wanted, { signal, isPublic: item.is_listed });
    return { plugin: { ...item, runnable: wanted } };
  } catch (error) {
    if (!isClientError(error)) throw error;
    return { plugin: { ...item, runnable: earlier }, error };
  }
}

const digestOf = (plugin: InstalledPlugin | undefined) => plugin?.runnable?.package.digest;

/** What has happened between two looks. */
export function eventsBetween(before: readonly InstalledPlugin[], after: readonly Followed[]): Told[] {
  const known = new Map(before.map((plugin) => [plugin.plugin_key, plugin]));
  const events: Told[] = after.flatMap(({ plugin, error }) =>
    eventsOf(known.get(plugin.plugin_key), { plugin, ...(error && { error }) }),
  );
  const left = new Set(after.map(({ plugin }) => plugin.plugin_key));
  const removed = before.filter(({ plugin_key }) => !left.has(plugin_key));
  return [...events, ...removed.map((plugin): Told => ({ name: 'removed', detail: { plugin } }))];
}

function eventsOf(before: InstalledPlugin | undefined, { plugin, error }: Followed): Told[] {
  const events: Told[] = [];
  const { withdrawal, update } = plugin;
  if (plugin.state === 'withdrawn' && before?.state !== 'withdrawn' && withdrawal)
    events.push({ name: 'withdrawn', detail: { plugin, withdrawal } });
  const [from, to] = [digestOf(before), digestOf(plugin)];
  if (to !== undefined && from === undefined) events.push({ name: 'installed', detail: { plugin } });
  else if (to !== undefined && from !== to)
    events.push({ name: 'update', detail: { plugin, kind: 'applied' } });
  if (update && update.version !== before?.update?.version)
    events.push({ name: 'update', detail: { plugin, kind: 'offered' } });
  // Offline is no fault of the package; it is loaded with the next look.
  if (error && error.code !== 'OFFLINE') events.push({ name: 'refused', detail: { plugin, error } });
  return events;
}

/** Plugins that a change of the catalogue withdraws, with the reason: wholly, or the version that is run here. */
export function withdrawnBy(
  changes: readonly CatalogueChange[],
  installed: readonly InstalledPlugin[],
): Extract<Told, { name: 'withdrawn' }>[] {
  const changed = new Map(changes.map((change) => [change.plugin_key, change]));
  return installed.flatMap((plugin) => {
    const change = changed.get(plugin.plugin_key);
    const ofVersion = change?.withdrawn_versions.find(({ digest }) => digest === digestOf(plugin));
    const withdrawal = change?.withdrawal ?? ofVersion;
    if (!withdrawal || plugin.state === 'withdrawn' || digestOf(plugin) === undefined) return [];
    const runnable = withdrawal.must_stop ? null : plugin.runnable;
    return [
      { name: 'withdrawn', detail: { plugin: { ...plugin, state: 'withdrawn', runnable }, withdrawal } },
    ];
  });
}

/** What must not be run. @throws ClientError NOT_INSTALLED, WITHDRAWN */
export function runnableOf(plugin: InstalledPlugin | undefined): PackageOf {
  if (plugin?.runnable) return plugin.runnable;
  if (plugin?.state !== 'withdrawn') throw clientError('NOT_INSTALLED');
  throw clientError('WITHDRAWN', { reason: plugin.withdrawal?.reason ?? 'policy' });
}
