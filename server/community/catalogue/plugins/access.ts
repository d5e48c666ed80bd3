import { appError } from '../../../http/errors.ts';
import { type Caller, isAdmin } from '../../people/auth/caller.ts';
import type { Db } from '../../schema.ts';
import { findPlugin, type PluginAccess } from './store.ts';

/** A plugin that the caller may see; `isOwn` for its publisher and for administrators, who see all of it. */
type SeenPlugin = { id: number; isOwn: boolean };

/**
 * Finds a plugin that the caller may see. Unreviewed and hidden plugins are visible to their publisher and to
 * administrators only.
 * @throws PLUGIN_NOT_FOUND, also for a plugin that the caller may not see
 */
export async function findSeenPlugin(db: Db, pluginKey: string, caller: Caller | null): Promise<SeenPlugin> {
  const plugin = await findPlugin(db, pluginKey);
  const isOwn = plugin !== undefined && caller !== null && isTrusted(plugin, caller);
  if (!plugin || !(plugin.is_visible || isOwn)) throw appError('PLUGIN_NOT_FOUND');
  return { id: plugin.id, isOwn };
}

function isTrusted(plugin: PluginAccess, caller: Caller): boolean {
  return plugin.publisher_id === caller.user_id || isAdmin(caller);
}

/**
 * Finds a plugin that the caller may change as its publisher or as an administrator.
 * @throws PLUGIN_NOT_FOUND for a plugin that the caller may not see, FORBIDDEN for another publisher's plugin
 */
export async function findEditablePlugin(db: Db, pluginKey: string, caller: Caller): Promise<PluginAccess> {
  const plugin = await findPlugin(db, pluginKey);
  if (!plugin) throw appError('PLUGIN_NOT_FOUND');
  if (isTrusted(plugin, caller)) return plugin;
  throw appError(plugin.is_visible ? 'FORBIDDEN' : 'PLUGIN_NOT_FOUND');
}
