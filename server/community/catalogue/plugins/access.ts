import { appError } from '../../../http/errors.ts';
import type { Caller } from '../../people/auth/caller.ts';
import { canEdit, canSee, canSeeAll, isInScope, isPublisher } from '../../people/policy.ts';
import type { Db } from '../../schema.ts';
import { findPlugin, type PluginAccess } from './store.ts';

/** A plugin that the caller may see; `isOwn` for its publisher and for administrators, who see all of it. */
type SeenPlugin = { id: number; isOwn: boolean };

/**
 * Finds a plugin that the caller may see.
 * @throws PLUGIN_NOT_FOUND, also for a plugin that the caller may not see
 */
export async function findSeenPlugin(db: Db, pluginKey: string, caller: Caller | null): Promise<SeenPlugin> {
  const plugin = await findPlugin(db, pluginKey);
  if (!plugin || !canSee(caller, plugin)) throw appError('PLUGIN_NOT_FOUND');
  return { id: plugin.id, isOwn: canSeeAll(caller, plugin) };
}

/**
 * Finds a plugin that the caller may change.
 * @throws the errors of {@link editableBy}, FORBIDDEN for a plugin that the caller's publish token is not for
 */
export async function findEditablePlugin(db: Db, pluginKey: string, caller: Caller): Promise<PluginAccess> {
  checkScope(caller, pluginKey);
  return editableBy(caller, await findPlugin(db, pluginKey));
}

/**
 * The plugin, if the caller may change it as its publisher or as an administrator.
 * @throws PLUGIN_NOT_FOUND for a plugin that the caller may not see, FORBIDDEN for another publisher's plugin
 */
export function editableBy<Plugin extends PluginAccess>(caller: Caller, plugin: Plugin | undefined): Plugin {
  if (!plugin) throw appError('PLUGIN_NOT_FOUND');
  if (canEdit(caller, plugin)) return plugin;
  throw appError(canSee(caller, plugin) ? 'FORBIDDEN' : 'PLUGIN_NOT_FOUND');
}

/**
 * Finds a plugin of the caller's own.
 * @throws PLUGIN_NOT_FOUND, also for another publisher's plugin
 */
export async function findOwnPlugin(db: Db, pluginKey: string, caller: Caller): Promise<PluginAccess> {
  const plugin = await findPlugin(db, pluginKey);
  if (!plugin || !isPublisher(caller, plugin)) throw appError('PLUGIN_NOT_FOUND');
  return plugin;
}

/**
 * Checks what the caller's publish token is for, if they have one.
 * @param pluginKey null for a new plugin
 * @throws FORBIDDEN
 */
export function checkScope(caller: Caller, pluginKey: string | null): void {
  if (!isInScope(caller, pluginKey)) throw appError('FORBIDDEN');
}
