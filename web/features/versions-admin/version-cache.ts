import type { PluginVersion } from '../../../shared/entities/plugin.ts';

/** What a publisher does with a version. */
export type VersionChange = { version: string } & ({ is_current: true } | { is_hidden: boolean });

/**
 * The history as it will be once a change is done; the one that is current when the current one is hidden is the
 * service's to choose.
 */
export function versionsAfter(versions: readonly PluginVersion[], change: VersionChange): PluginVersion[] {
  return versions.map((one) => {
    const isChanged = one.version === change.version;
    if ('is_hidden' in change) return isChanged ? { ...one, is_hidden: change.is_hidden } : one;
    return { ...one, is_current: isChanged, is_hidden: isChanged ? false : one.is_hidden };
  });
}
